import { maxColumnEdges } from "#contract/ingestion/limits.ts";
import { AppError } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadAbortedError } from "#kit/thread-aborted.ts";
import { ThreadPool } from "#kit/threads.ts";
import type { SqlJob, SqlLineageResult } from "./model.ts";

/** Maximum number of bytes of the SQL of one entity. */
export const maxSqlBytes = 65_536;

/** Milliseconds that reading the SQL of one entity may take. */
const readMs = 2_000;

/** Maximum number of datasets that an entity with SQL reads and writes, and most fields that they have in all. */
export const maxDatasets = 500;
export const maxSchemaFields = 20_000;

/** Maximum number of times that processes may end while they read the SQL of one entity. */
export const maxAttempts = 3;

/** Maximum number of entities that wait to be looked at; what is beyond is found by the next sweep. */
export const maxHints = 10_000;

/** Milliseconds without SQL after which the parser, about 120 MB, is let go. */
const idleMs = 60_000;

interface SqlReaderOptions {
  metrics: Metrics;
  /** Milliseconds that one job may take. */
  deadlineMs?: number;
  idleMs?: number;
}

/** Reads SQL in a thread of its own, which is started on demand and ended when it is idle, or takes too long. */
export class SqlReader {
  #threads: ThreadPool<SqlJob, SqlLineageResult> | undefined;

  constructor(private readonly options: SqlReaderOptions) {}

  /** Rejects with a retryable `AppError` when the reader was stopped. */
  async read(job: SqlJob): Promise<SqlLineageResult> {
    if (new TextEncoder().encode(job.sql).length > maxSqlBytes) return { refused: "too_long" };
    this.#threads ??= this.#open();
    try {
      return await this.#threads.run(job);
    } catch (error) {
      if (error instanceof ThreadAbortedError) {
        return { refused: error.reason === "deadline" ? "too_slow" : "crashed" };
      }
      if (error instanceof AppError) throw error;
      // The parser may be in any state after a fault of its own.
      this.stop();
      return { refused: "crashed" };
    }
  }

  /** Ends the thread; it is started again on demand. */
  stop(): void {
    this.#threads?.stop();
    this.#threads = undefined;
  }

  #open(): ThreadPool<SqlJob, SqlLineageResult> {
    return new ThreadPool({
      name: "sql",
      script: new URL("./thread.ts", import.meta.url),
      metrics: this.options.metrics,
      threads: 1,
      maxQueued: 4,
      deadlineMs: this.options.deadlineMs ?? readMs,
      heapMb: 512,
      idleMs: this.options.idleMs ?? idleMs,
    });
  }
}

const sqlLimit = (bounds: string, max: number, beyond: string) =>
  limit("SQL of transformers", bounds, max, beyond);

/** Limits on SQL that column lineage is read from. */
export const sqlLimits: Limit[] = [
  sqlLimit("bytes", maxSqlBytes, "no columns, too_long"),
  sqlLimit("time to parse, ms", readMs, "no columns, too_slow"),
  sqlLimit("datasets that it reads and writes", maxDatasets, "no columns, too_many"),
  sqlLimit(
    "fields of their newest structures, not nested",
    maxSchemaFields,
    "no columns, too_many",
  ),
  sqlLimit("edges", maxColumnEdges, "no columns, too_many"),
  sqlLimit("processes that crashed while parsing it", maxAttempts, "no columns, crashed"),
  sqlLimit("entities waiting to be parsed", maxHints, "found by the next sweep"),
];
