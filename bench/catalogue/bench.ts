import { Database } from "#metadata/postgres/database.ts";
import { concurrentlyInTurn, type Sample } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type Asked, type AskedOperation, askedOperations } from "./asked.ts";
import { type Bare, Recorder, runBare } from "./bare.ts";
import { seedCatalogue } from "./seed.ts";

export interface CatalogueSize {
  /** Entities of the smaller and of the larger catalogue. */
  entities: readonly [number, number];
  /** Requests of each client, in all rounds. */
  runs: number;
  /** How often the requests and their statements are measured in turn. */
  rounds: number;
  clients: number;
  /** Milliseconds that a client waits between two requests. */
  pauseMs: number;
}

export const catalogueSizes = {
  small: { entities: [50, 200], runs: 2, rounds: 2, clients: 4, pauseMs: 5 },
  full: { entities: [1_000, 100_000], runs: 30, rounds: 3, clients: 16, pauseMs: 100 },
} as const satisfies Record<string, CatalogueSize>;

/** Longest p95 of a search, in milliseconds. */
const searchGoal = 150;

/**
 * The time of what pages of the catalogue ask for, in a small and in a large catalogue, beside the same statements
 * straight from the metadata store by as many clients at once.
 */
export async function catalogueBench(engines: EngineSet, size: CatalogueSize): Promise<Row[]> {
  const [small, large] = size.entities;
  const before = await measured(engines, small, size);
  const after = await measured(engines, large, size);
  return after.flatMap((one, at) => rowsOf(engines, large, one, before[at]!));
}

interface Measured {
  operation: AskedOperation;
  ours: Sample;
  bare: Sample;
}

async function measured(engines: EngineSet, entities: number, size: CatalogueSize) {
  const subject = await startSubject(engines);
  try {
    const seeded = await seedCatalogue(subject.db, entities);
    await subject.checkpoint();
    const session = await asked(subject, {
      method: "POST",
      path: "/api/search",
      body: { query: "orders", filters: {} },
    });
    const operations = askedOperations(seeded, { catalogue: JSON.parse(session).search_id });
    return await timesOf(subject, operations, size);
  } finally {
    await subject.stop();
  }
}

async function timesOf(
  subject: Subject,
  operations: AskedOperation[],
  { runs, rounds, clients, pauseMs }: CatalogueSize,
): Promise<Measured[]> {
  // Four or ten: 16 clients are answered in the same time.
  const db = new Database({
    url: subject.databaseUrl,
    max: 10,
    statementTimeoutMs: 60_000,
    applicationName: "bench bare",
  });
  const recorder = new Recorder(db, subject.databaseUrl, subject.instance);
  const times: Measured[] = [];
  try {
    for (const operation of operations) {
      const { requests } = operation;
      const bare: Bare[][] = [];
      for (const request of requests) bare.push(await recorder.statementsOf(request));
      const ask = turns(requests, (request) => asked(subject, request));
      const query = turns(bare, async (statements) => {
        for (const statement of statements) await runBare(db, statement);
      });
      const work = { ours: ask, bare: query };
      await concurrentlyInTurn(work, { clients, runsEach: Math.min(runs, 5), rounds: 1 });
      const runsEach = runs / rounds;
      const samples = await concurrentlyInTurn(work, { clients, runsEach, pauseMs, rounds });
      times.push({ operation, ...samples });
    }
  } finally {
    await db.close();
  }
  return times;
}

/** Does the same with one after the other. */
function turns<T>(items: T[], work: (item: T) => Promise<unknown>): () => Promise<unknown> {
  let next = 0;
  return () => work(items[next++ % items.length]!);
}

async function asked(subject: Subject, { method, path, body }: Asked): Promise<string> {
  const response = await fetch(new URL(path, subject.url), {
    method,
    headers: { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${method} ${path}: ${response.status} ${text}\n${subject.said()}`);
  }
  return text;
}

function rowsOf(engines: EngineSet, entities: number, large: Measured, small: Measured): Row[] {
  const { operation: { name, counts, search }, ours, bare } = large;
  const common = { bench: "catalogue", engines, unit: "ms" };
  const at = `${entities} entities`;
  return [
    row({
      ...common,
      case: `${name}, ${at}, p50`,
      ours: ours.p50,
      yardstick: bare.p50,
      goal: "≤ bare + 3 ms",
      note: `p95 ${ours.p95.toFixed(1)} ms`,
    }, () => ours.p50 <= bare.p50 + 3),
    row({
      ...common,
      case: `${name}, beside the small catalogue, p50`,
      ours: ours.p50,
      yardstick: small.ours.p50,
      goal: counts ? "" : "≤ 1.3 ×",
    }, counts ? undefined : (ratio) => ratio! <= 1.3),
    ...(search
      ? [row({
        ...common,
        case: `${name}, ${at}, p95`,
        ours: ours.p95,
        yardstick: bare.p95,
        goal: `≤ ${searchGoal} ms`,
      }, () => ours.p95 <= searchGoal)]
      : []),
  ];
}
