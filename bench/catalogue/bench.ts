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
  full: { entities: [1_000, 100_000], runs: 60, rounds: 3, clients: 16, pauseMs: 100 },
} as const satisfies Record<string, CatalogueSize>;

/** Longest p95 of a search, in milliseconds. */
const searchGoal = 150;

/**
 * The time of what pages of the catalogue ask for, in a small and in a large catalogue, beside the same statements
 * straight from the metadata store of the large one by as many clients at once; all three in turn.
 */
export async function catalogueBench(engines: EngineSet, size: CatalogueSize): Promise<Row[]> {
  const [few, many] = size.entities;
  const small = await prepared(engines, few);
  try {
    const large = await prepared(engines, many);
    try {
      return await rowsOfAll(engines, size, { small, large });
    } finally {
      await large.subject.stop();
    }
  } finally {
    await small.subject.stop();
  }
}

/** A server with a catalogue, and what is asked of it. */
interface Prepared {
  subject: Subject;
  operations: AskedOperation[];
}

async function prepared(engines: EngineSet, entities: number): Promise<Prepared> {
  const subject = await startSubject(engines);
  try {
    const seeded = await seedCatalogue(subject.db, entities);
    await subject.checkpoint();
    const session = await asked(subject, {
      method: "POST",
      path: "/api/search",
      body: { query: "orders", filters: {} },
    });
    return {
      subject,
      operations: askedOperations(seeded, { catalogue: JSON.parse(session).search_id }),
    };
  } catch (error) {
    await subject.stop();
    throw error;
  }
}

interface Measured {
  operation: AskedOperation;
  small: Sample;
  large: Sample;
  bare: Sample;
}

async function rowsOfAll(
  engines: EngineSet,
  size: CatalogueSize,
  { small, large }: Record<"small" | "large", Prepared>,
): Promise<Row[]> {
  const { databaseUrl, instance } = large.subject;
  // Four or ten: 16 clients are answered in the same time.
  const db = new Database({
    url: databaseUrl,
    max: 10,
    statementTimeoutMs: 60_000,
    applicationName: "bench bare",
  });
  const recorder = new Recorder(db, databaseUrl, instance);
  const rows: Row[] = [];
  try {
    for (const [at, operation] of large.operations.entries()) {
      const work = {
        small: asking(small.subject, small.operations[at]!),
        large: asking(large.subject, operation),
        bare: await querying(db, recorder, operation),
      };
      rows.push(...rowsOf(engines, size, { operation, ...await timesOf(work, size) }));
    }
  } finally {
    await db.close();
  }
  return rows;
}

type Work = Record<"small" | "large" | "bare", () => Promise<unknown>>;

async function timesOf(work: Work, { runs, rounds, clients, pauseMs }: CatalogueSize) {
  await concurrentlyInTurn(work, { clients, runsEach: Math.min(runs, 5), rounds: 1 });
  return await concurrentlyInTurn(work, { clients, runsEach: runs / rounds, pauseMs, rounds });
}

const asking = (subject: Subject, { requests }: AskedOperation) =>
  turns(requests, (request) => asked(subject, request));

async function querying(db: Database, recorder: Recorder, { requests }: AskedOperation) {
  const bare: Bare[][] = [];
  for (const request of requests) bare.push(await recorder.statementsOf(request));
  return turns(bare, async (statements) => {
    for (const statement of statements) await runBare(db, statement);
  });
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

function rowsOf(
  engines: EngineSet,
  { entities: [, entities] }: CatalogueSize,
  { operation: { name, counts, search }, small, large, bare }: Measured,
): Row[] {
  const common = { bench: "catalogue", engines, unit: "ms" };
  const at = `${entities} entities`;
  return [
    row({
      ...common,
      case: `${name}, ${at}, p50`,
      ours: large.p50,
      yardstick: bare.p50,
      goal: "≤ bare + 3 ms",
      note: `p95 ${large.p95.toFixed(1)} ms`,
    }, () => large.p50 <= bare.p50 + 3),
    row({
      ...common,
      case: `${name}, beside the small catalogue, p50`,
      ours: large.p50,
      yardstick: small.p50,
      goal: counts ? "" : "≤ 1.3 ×",
    }, counts ? undefined : (ratio) => ratio! <= 1.3),
    ...(search
      ? [row({
        ...common,
        case: `${name}, ${at}, p95`,
        ours: large.p95,
        yardstick: bare.p95,
        goal: `≤ ${searchGoal} ms`,
      }, () => large.p95 <= searchGoal)]
      : []),
  ];
}
