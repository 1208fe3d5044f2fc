import type { Queryable } from "#metadata/postgres/database.ts";
import type { Row, Statement } from "#metadata/postgres/statement.ts";

/** Runs a statement whose rows are told by who runs it, since several read one table differently. */
export function run<R = Row>(on: Queryable, what: Statement, values: unknown[]): Promise<R[]> {
  return on.query(what as Statement<R>, values);
}

/** One array a column, as `unnest` takes them. */
export function columns<T>(rows: T[], ...pick: ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map(value));
}
