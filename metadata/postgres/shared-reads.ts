import { withTimeout } from "#kit/retry.ts";
import type { Queryable, Row, Statement } from "#metadata/postgres/statement.ts";

const late = () => new Error("a read that is shared takes long");

interface Execution {
  rows: Promise<unknown[]>;
  /** The one that begins when this one has ended, for all who came meanwhile. */
  next?: Promise<unknown[]>;
}

/** Milliseconds that callers wait for an execution that began before their request. */
export const maxWaiting = 1_000;

/**
 * Shared reads: concurrent callers with the same statement and the same values share an execution, but
 * only one that begins after each request. So all see what had been committed by then, as if each had read alone,
 * and a page that everybody opens costs at most two executions at a time, and one more for each second that one takes:
 * a server that hangs delays nobody longer than a read of their own. Rows are shared and must not be changed.
 */
export class SharedReads implements Queryable {
  /** Bounded by the requests that this process answers at once. */
  readonly #running = new Map<string, Execution>();
  #counts = { requested: 0, executed: 0 };

  constructor(private readonly db: Queryable) {}

  /** Statements whose values are compared as JSON text; they must only read. */
  query<R = Row>(statement: Statement<R> | string, values: unknown[] = []): Promise<R[]> {
    this.#counts.requested++;
    const text = typeof statement === "string" ? statement : statement.text;
    const key = `${text}\0${JSON.stringify(values)}`;
    const execute = () => this.#execute(key, () => this.db.query(statement, values));
    const running = this.#running.get(key);
    if (!running) return execute() as Promise<R[]>;
    running.next ??= withTimeout(running.rows, maxWaiting, late).then(execute, execute);
    return running.next as Promise<R[]>;
  }

  /** Reads requested since the last call, and the number of executions for them. */
  takeCounts(): { requested: number; executed: number } {
    const counts = this.#counts;
    this.#counts = { requested: 0, executed: 0 };
    return counts;
  }

  #execute(key: string, read: () => Promise<unknown[]>): Promise<unknown[]> {
    this.#counts.executed++;
    const rows = read();
    const execution: Execution = { rows };
    this.#running.set(key, execution);
    const ended = () => void (execution.next ?? this.#running.delete(key));
    rows.then(ended, ended);
    return rows;
  }
}
