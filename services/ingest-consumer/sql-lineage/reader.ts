import { AppError } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import { ThreadAbortedError } from "#kit/thread-aborted.ts";
import { ThreadPool } from "#kit/threads.ts";
import { maxSqlBytes, readMs } from "./limits.ts";
import type { SqlJob, SqlLineageResult } from "./model.ts";

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
