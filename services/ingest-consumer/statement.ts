import type { Queryable } from "#metadata/postgres/database.ts";
import type { Row, Statement } from "#metadata/postgres/statement.ts";

/** Runs a statement; the caller gives the row type, since several read one table differently. */
export function run<R = Row>(on: Queryable, what: Statement, values: unknown[]): Promise<R[]> {
  return on.query(what as Statement<R>, values);
}

/** One array per column, as `unnest` takes them. */
export function columns<T>(rows: T[], ...pick: ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map(value));
}
