import { Database } from "#metadata/postgres/database.ts";
import { concurrentlyInRounds, type Sample } from "../support/measure.ts";
import { type Row, row } from "../support/report.ts";
import { type EngineSet, startSubject, type Subject } from "../support/subject.ts";
import { type BenchOperation, benchOperations, type BenchRequest } from "./operations.ts";
import { type BoundStatement, Recorder, runBare } from "./baseline.ts";
import { seedCatalogue } from "./seed.ts";

export interface CatalogueSize {
  /** Entities of the smaller and of the larger catalogue. */
  entities: readonly [number, number];
  /** Requests of each client in a round, and those before them that are not timed. */
  runs: number;
  warmup: number;
  /** How often all operations are measured. */
  rounds: number;
  clients: number;
  /** Milliseconds that a client waits between two requests. */
  pauseMs: number;
}

export const catalogueSizes = {
  small: { entities: [50, 200], runs: 1, warmup: 1, rounds: 2, clients: 4, pauseMs: 5 },
  full: {
    entities: [1_000, 100_000],
    runs: 12,
    warmup: 3,
    rounds: 5,
    clients: 16,
    pauseMs: 100,
  },
} as const satisfies Record<string, CatalogueSize>;

/** Longest p95 of a search, in milliseconds. */
const searchGoal = 150;

/**
 * The time of what pages of the catalogue ask for, in a small and in a large catalogue, next to the same statements
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
interface PreparedBench {
  subject: Subject;
  operations: BenchOperation[];
}

async function prepared(engines: EngineSet, entities: number): Promise<PreparedBench> {
  const subject = await startSubject(engines);
  try {
    const seeded = await seedCatalogue(subject.db, entities);
    await subject.checkpoint();
    const session = await bodyOf(subject, {
      method: "POST",
      path: "/api/search",
      body: { query: "orders", filters: {} },
    });
    return {
      subject,
      operations: benchOperations(seeded, { catalogue: JSON.parse(session).search_id }),
    };
  } catch (error) {
    await subject.stop();
    throw error;
  }
}

/** Who is requested the same. */
type Subjects<T> = Record<"small" | "large" | "bare", T>;

async function rowsOfAll(
  engines: EngineSet,
  size: CatalogueSize,
  { small, large }: Record<"small" | "large", PreparedBench>,
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
  try {
    const work: Subjects<() => Promise<unknown>>[] = [];
    for (const [at, operation] of large.operations.entries()) {
      work.push({
        small: sendAll(small.subject, small.operations[at]!),
        large: sendAll(large.subject, operation),
        bare: await querying(db, recorder, operation),
      });
    }
    const samples = await concurrentlyInRounds(work, { ...size, runsEach: size.runs });
    return large.operations.flatMap((each, at) => rowsOf(engines, size, each, samples[at]!));
  } finally {
    await db.close();
  }
}

const sendAll = (subject: Subject, { requests }: BenchOperation) =>
  turns(requests, (request) => bodyOf(subject, request));

async function querying(db: Database, recorder: Recorder, { requests }: BenchOperation) {
  const bare: BoundStatement[][] = [];
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

async function bodyOf(subject: Subject, { method, path, body }: BenchRequest): Promise<string> {
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
  { name, counts, search }: BenchOperation,
  { small, large, bare }: Subjects<Sample>,
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
