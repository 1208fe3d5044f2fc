import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { Loop } from "#kit/loop.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import * as facts from "./facts.queries.ts";
import { type Refusal, refusals, type SqlDataset, type SqlLineageResult } from "./model.ts";
import { maxAttempts, maxDatasets, maxHints, maxSchemaFields, type SqlReader } from "./reader.ts";
import { type Outcome, store, withdraw } from "./store.ts";

interface SqlLineageOptions {
  /** Whether SQL is read; otherwise what was read from it before is taken back. */
  enabled: boolean;
  db: Database;
  reader: SqlReader;
  clock: Clock;
  log: Logger;
  metrics: ReturnType<typeof sqlLineageMetrics>;
}

/** Milliseconds between two looks at everything, for what another process did not come to. */
const sweepMs = 10 * 60_000;

/** Entities of one page of a sweep, and of one step of taking back. */
const pageSize = 1_000;
const withdrawSize = 200;

/**
 * Makes column lineage of the SQL of transformers that declare none, after the batch that brought it was committed.
 * Due work follows from the database alone (`sql_due`); hints only set the order. Several processes
 * may do it at a time: each entity is checked again under its lock.
 */
export class SqlLineageWorker implements Worker {
  readonly name = "sql-lineage";
  readonly #loop: Loop;
  readonly #hints: Hints;
  #sweepAt = 0;
  #lastError: string | undefined;

  constructor(private readonly options: SqlLineageOptions) {
    this.#hints = new Hints((waiting) => options.metrics.waiting(waiting));
    this.#loop = new Loop({
      round: (signal) => this.#round(signal),
      failed: (error) => this.#failed(error),
      retry: { initial: 1_000, max: 30_000 },
      clock: options.clock,
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#sweepAt = 0;
    return this.#loop.start(onCrash);
  }

  /** Parsing of the current statement is aborted; it is still due. */
  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    this.options.reader.stop();
    await stopped;
  }

  health(): Health {
    if (!this.options.enabled) return { ready: true, state: "disabled" };
    const state = this.#loop.started ? "running" : "stopped";
    return { ready: true, state, detail: this.#lastError };
  }

  /** These transformers and datasets have changed. */
  hint(ids: number[]): void {
    if (!this.options.enabled) return;
    this.#hints.add(ids);
    this.#loop.wake();
  }

  async #round(signal: AbortSignal): Promise<number> {
    const { enabled, clock, db } = this.options;
    if (!enabled) {
      while (!signal.aborted && await withdraw(db, withdrawSize) > 0);
    } else if (clock.now() >= this.#sweepAt) await this.#sweep(signal);
    else await this.#followHints(signal);
    this.#lastError = undefined;
    return enabled ? Math.max(this.#sweepAt - clock.now(), 0) : sweepMs;
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.options;
    this.#sweepAt = clock.now() + sweepMs;
    for (let after: number | undefined = 0; after !== undefined && !signal.aborted;) {
      const ids: number[] = (await db.query(facts.page, [after, pageSize])).map(({ id }) => id);
      await this.#readDue(ids, signal);
      await this.#followHints(signal);
      after = ids.length === pageSize ? ids.at(-1) : undefined;
    }
  }

  async #followHints(signal: AbortSignal): Promise<void> {
    const hinted = this.#hints.take();
    if (hinted === null) this.#sweepAt = 0;
    if (hinted === null || hinted.length === 0) return;
    const concerned = await this.options.db.query(facts.concerned, [hinted]);
    await this.#readDue(concerned.map(({ id }) => id), signal);
  }

  async #readDue(ids: number[], signal: AbortSignal): Promise<void> {
    if (ids.length === 0) return;
    for (const { id } of await this.options.db.query(facts.due, [ids])) {
      if (signal.aborted) return;
      if (!await readEntity(id, this.options)) this.hint([id]);
    }
  }

  /** What was being looked at is found again by a sweep. */
  #failed(error: unknown): void {
    this.#sweepAt = 0;
    const level = this.#lastError === undefined ? "warn" : "debug";
    this.#lastError = messageOf(error);
    this.options.log[level]("SQL waits to be read for column lineage", { error });
  }
}

/** Entities that changed in this process and have still to be looked at; they are lost with it, and then swept for. */
class Hints {
  #ids = new Set<number>();
  #overflowed = false;

  /** `changed` is called with the number that wait. */
  constructor(private readonly changed: (waiting: number) => void) {}

  add(ids: number[]): void {
    for (const id of ids) {
      if (this.#ids.size >= maxHints) this.#overflowed = true;
      else this.#ids.add(id);
    }
    this.changed(this.#ids.size);
  }

  /** Empties them; null when there were too many, and everything has to be looked at. */
  take(): number[] | null {
    const taken = this.#overflowed ? null : [...this.#ids];
    this.#ids = new Set();
    this.#overflowed = false;
    this.changed(0);
    return taken;
  }
}

type ReadDeps = Pick<SqlLineageOptions, "db" | "reader" | "log" | "metrics">;

/** Parses the SQL of one entity that is due, and stores its lineage. False when it changed meanwhile. */
async function readEntity(id: number, deps: ReadDeps): Promise<boolean> {
  const { db, metrics, log } = deps;
  const [found] = await db.query(facts.factsOf, [id]);
  if (!found) return true;
  const reading = await readingOf(found, deps);
  let refused = reading && "refused" in reading ? reading.refused : undefined;
  let stored: boolean;
  try {
    stored = await store(db, found, outcomeOf(found, reading));
  } catch (error) {
    // Names that cannot be stored must not be met again and again.
    if (classify(error) !== "permanent") throw error;
    log.warn("column lineage of SQL cannot be stored", { entity: id, error });
    refused = "columns";
    stored = await store(db, found, { edges: [], outcome: refused, gaps: [] });
  }
  if (stored && refused) metrics.refused(refused);
  else if (stored && reading) metrics.read();
  if (stored && reading?.dropped) metrics.dropped(reading.dropped);
  log.debug("SQL read for column lineage", { entity: id, stored, refused });
  return stored;
}

/** Null when there is nothing to read. */
async function readingOf(
  { id, sql, declared, fingerprint, attempts }: facts.SqlFacts,
  { db, reader }: ReadDeps,
): Promise<SqlLineageResult | null> {
  if (sql === null || declared) return null;
  const datasets = await db.query(facts.datasetsOf, [id, maxDatasets + 1]);
  const outputs = datasets.filter(({ written }) => written);
  if (outputs.length === 0) return null;
  if (isBeyondLimits(datasets)) return refuse("too_many");
  // What ends the process, by its memory, must not do so forever.
  if (attempts >= maxAttempts) return refuse("crashed");
  await db.query(facts.begin, [id, fingerprint]);
  const inputs = datasets.filter(({ written }) => !written);
  const reading = await reader.read({ sql, inputs, outputs });
  return "edges" in reading && reading.edges.length > maxColumnEdges ? refuse("too_many") : reading;
}

const refuse = (refused: Refusal): SqlLineageResult => ({ refused });

function isBeyondLimits(datasets: SqlDataset[]): boolean {
  return datasets.length > maxDatasets ||
    datasets.reduce((sum, { fields }) => sum + fields.length, 0) > maxSchemaFields;
}

function outcomeOf({ declared }: facts.SqlFacts, reading: SqlLineageResult | null): Outcome {
  if (reading === null) {
    return { edges: [], outcome: declared ? "declared" : "nothing", gaps: [] };
  }
  const gaps = reading.gaps ?? [];
  if ("refused" in reading) return { edges: [], outcome: reading.refused, gaps };
  return { edges: reading.edges, outcome: "read", gaps };
}

/** Counts what was read from SQL. */
export function sqlLineageMetrics(metrics: Metrics) {
  const read = metrics.counter(
    "tributary_sql_lineage_read_total",
    "Entities whose SQL was parsed for column lineage",
  );
  const refused = metrics.counter(
    "tributary_sql_lineage_refused_total",
    "Entities whose SQL yielded no column lineage, by reason",
    ["reason"],
  );
  const dropped = metrics.counter(
    "tributary_sql_lineage_dropped_edges_total",
    "Column edges read from SQL and dropped because a dataset has no such column",
  );
  const waiting = metrics.gauge(
    "tributary_sql_lineage_waiting",
    "Changed entities whose SQL has not been parsed yet, in this process",
  );
  for (const reason of refusals) refused.inc({ reason }, 0);
  return {
    read: () => read.inc(),
    refused: (reason: Refusal) => refused.inc({ reason }),
    dropped: (edges: number) => dropped.inc({}, edges),
    waiting: (entities: number) => waiting.set({}, entities),
  };
}
