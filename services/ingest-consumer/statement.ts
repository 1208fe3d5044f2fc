import type { Queryable } from "#metadata/postgres/database.ts";
import { type Row, type Statement, statement as declared } from "#metadata/postgres/statement.ts";

export type { Statement };

/** Declares a statement of the consumer; its rows are told by who runs it. */
export function statement(name: string, text: string): Statement {
  return declared(`ingest-${name}`)`${text}`;
}

export function run<R = Row>(on: Queryable, what: Statement, values: unknown[]): Promise<R[]> {
  return on.query(what as Statement<R>, values);
}

/** One array a column, as `unnest` takes them. */
export function columns<T>(rows: T[], ...pick: ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map(value));
}
