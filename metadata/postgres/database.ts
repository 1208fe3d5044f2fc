import { trace, TraceFlags } from "@opentelemetry/api";
import pg from "pg";
import { AppError, unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";
import {
  type CommitReport,
  type HistoryGuard,
  verifier,
} from "#metadata/postgres/history/guard.ts";
import { commitNoted } from "#metadata/postgres/history/server.ts";
import { SlowStatements } from "#metadata/postgres/slow-statements.ts";
import { SharedReads } from "#metadata/postgres/shared-reads.ts";
import type { Queryable, Row, Statement } from "#metadata/postgres/statement.ts";

// Ids stay below 2^53 by design of the schema, and so do counts and offsets: numbers are exact.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
const int8Array = 1016 as number;
pg.types.setTypeParser(int8Array, (text) => parseIntegers(text));
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => text);

function parseIntegers(text: string): (number | null)[] {
  if (text === "{}") return [];
  return text.slice(1, -1).split(",").map((t) => (t === "NULL" ? null : Number(t)));
}

export type { Queryable, Row };

/** One transaction; valid until its callback ends. */
export interface Transaction extends Queryable {
  readonly kind: "transaction";
}

interface DatabaseOptions {
  url: string;
  /** Maximum number of connections of this process. */
  max: number;
  /** Milliseconds that one statement may take. */
  statementTimeoutMs: number;
  applicationName: string;
  /** Refuses a server that lacks commits of this process; absent for a database that is not the system of record. */
  guard?: HistoryGuard;
}

/** Milliseconds that this process waits beyond the server's own statement timeout. */
const grace = 2_000;

/**
 * Milliseconds that a transaction may stay idle. A process that is suspended within a transaction
 * holds locks that all others need, such as that of the lineage outbox.
 */
const idleInTransaction = 10_000;

/** Statements that may wait for a connection; further ones are refused at once. */
const maxWaiting = 2_000;

/** PostgreSQL, the system of record: a bounded pool where every wait has a deadline. */
export class Database implements Queryable {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly guard: HistoryGuard | undefined;
  /** For what many ask at once: lists that everybody opens, searches. */
  readonly reads: SharedReads = new SharedReads(this);
  /** Statements of this process that took long, until they are reported. */
  readonly slow: SlowStatements = new SlowStatements();

  constructor(options: DatabaseOptions) {
    this.url = options.url;
    this.guard = options.guard;
    this.pool = new pg.Pool({
      connectionString: options.url,
      max: options.max,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + grace,
      idle_in_transaction_session_timeout: idleInTransaction,
      application_name: options.applicationName,
      keepAlive: true,
      verify: options.guard && verifier(options.guard),
    });
    // The pool replaces broken idle connections; without a listener the error would end the
    // process.
    this.pool.on("error", () => {});
  }

  async query<R = Row>(statement: Statement<R> | string, values: unknown[] = []) {
    refuseWhenFull(this.pool);
    try {
      const { guard } = this;
      return await this.timed(
        statement,
        () => guard ? this.runGuarded(guard, statement, values) : run(this.pool, statement, values),
      );
    } catch (error) {
      throw translate(error);
    }
  }

  /** Runs `work` in one transaction (READ COMMITTED) and rolls back when it throws. */
  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    refuseWhenFull(this.pool);
    const client = await this.connection(this.guard).catch((error) => {
      throw translate(error);
    });
    let broken: Error | undefined;
    // A connection that breaks between two statements reports it here; the next statement must fail
    // too.
    const onError = (error: Error) => void (broken = error);
    client.on("error", onError);
    try {
      await client.query("BEGIN");
      await setTraceparent(client);
      const result = await work({
        kind: "transaction",
        query: (statement, values = []) =>
          this.timed(statement, () => run(client, statement, values)),
      });
      await this.commit(client);
      return result;
    } catch (error) {
      if (isUnanswered(error)) broken = error;
      if (!broken) await client.query("ROLLBACK").catch((e) => void (broken = e as Error));
      throw translate(error);
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /** As the pool does: a connection whose statement failed is closed. */
  private async runGuarded<R>(
    guard: HistoryGuard,
    statement: Statement<R> | string,
    values: unknown[],
  ): Promise<R[]> {
    const client = await this.connection(guard);
    let broken: Error | undefined;
    const onError = (error: Error) => void (broken = error);
    client.on("error", onError);
    try {
      return await run(client, statement, values);
    } catch (error) {
      broken = error as Error;
      throw error;
    } finally {
      client.removeListener("error", onError);
      client.release(broken);
    }
  }

  /** A connection that leads to the server that serves now. */
  private async connection(guard: HistoryGuard | undefined): Promise<pg.PoolClient> {
    guard?.admit();
    for (;;) {
      const client = await this.pool.connect();
      if (!guard?.isStale(client)) return client;
      client.release(true);
    }
  }

  private async commit(client: pg.PoolClient): Promise<void> {
    if (!this.guard?.isNoting(client)) return void await client.query("COMMIT");
    try {
      // Two statements, so two results.
      const [noted] = await client.query(commitNoted) as unknown as pg.QueryResult<CommitReport>[];
      this.guard.committed(client, noted!.rows[0]!);
    } catch (error) {
      // A statement failed and its error was handled: as COMMIT would, it rolls back.
      if (sqlState(error) !== failedTransaction) throw error;
      await client.query("ROLLBACK");
    }
  }

  /** Records the duration, also of failures such as timeouts. Not `#timed`: tests derive objects from a Database. */
  private async timed<R>(statement: Statement<R> | string, work: () => Promise<R[]>): Promise<R[]> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      const label = typeof statement === "string" ? statement : statement.name;
      this.slow.record(label, performance.now() - started);
    }
  }

  async ping(timeoutMs: number): Promise<void> {
    const late = () => unavailable("The metadata store does not answer");
    await withTimeout(this.query("SELECT 1"), timeoutMs, late);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** SQLSTATE of a statement in a transaction that has failed before. */
const failedTransaction = "25P02";

function refuseWhenFull(pool: pg.Pool): void {
  if (pool.waitingCount < maxWaiting) return;
  throw unavailable("Too many requests wait for the metadata store", 2);
}

/**
 * Stores the trace context in the transaction, for rows that pass work on to other processes
 * (`lineage_outbox`).
 */
async function setTraceparent(client: pg.PoolClient): Promise<void> {
  const span = trace.getActiveSpan()?.spanContext();
  if (!span || !(span.traceFlags & TraceFlags.SAMPLED)) return;
  const traceparent = `00-${span.traceId}-${span.spanId}-01`;
  await client.query("SELECT set_config('tributary.traceparent', $1, true)", [traceparent]);
}

async function run<R>(
  on: pg.Pool | pg.PoolClient,
  statement: Statement<R> | string,
  values: unknown[],
): Promise<R[]> {
  const { text, name, eachTime } = typeof statement === "string"
    ? { text: statement, name: undefined, eachTime: true }
    : statement;
  const { rows } = await on.query({ text, values, name: eachTime ? undefined : name });
  return rows as R[];
}

/** SQLSTATE of a PostgreSQL error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * How to react to a database failure, by SQLSTATE class (PostgreSQL manual, appendix A): `retry` the
 * transaction (40); `pause` until the server is back (08, 53, 57, no connection, or a transaction
 * that the server ended because this process was suspended); `permanent` because the data is at
 * fault (22, 23, 54); else `unknown`.
 */
export function classify(error: unknown): "retry" | "pause" | "permanent" | "unknown" {
  const cause = (error as { cause?: unknown } | null)?.cause;
  const state = sqlState(error) ?? sqlState(cause);
  if (state === undefined) return isConnectionLoss(error) ? "pause" : "unknown";
  if (state.startsWith("40") || state === "55P03") return "retry";
  if (["08", "53", "57"].includes(state.slice(0, 2)) || state === "25P03") return "pause";
  if (["22", "23", "54"].includes(state.slice(0, 2))) return "permanent";
  return "unknown";
}

/** Whether the metadata store is temporarily unavailable, or a transaction lost against another one. */
export function isMetadataDown(error: unknown): boolean {
  return error instanceof AppError && error.status === 503 ||
    ["pause", "retry"].includes(classify(error));
}

/** The server did not answer within this process's own deadline; the connection must not be reused. */
function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}

const lost =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|terminat|timeout|not queryable/i;

function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? "");
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  return lost.test(code) || lost.test(error.message) ||
    (error.cause !== undefined && isConnectionLoss(error.cause));
}

function translate(error: unknown): unknown {
  if (error instanceof Error && error.name === "AppError") return error as AppError;
  return classify(error) === "pause"
    ? unavailable("The metadata store is not available", 5, error)
    : error;
}
