import type { Queryable, Row } from "#metadata/database.ts";

/** A statement that every connection prepares once. */
export interface Statement {
  name: string;
  text: string;
}

export function statement(name: string, text: string): Statement {
  return { name: `ingest-${name}`, text };
}

export function run<R extends Row = Row>(
  on: Queryable,
  { name, text }: Statement,
  values: unknown[],
): Promise<R[]> {
  return on.query<R>(text, values, name);
}

/** One array a column, as `unnest` takes them. */
export function columns<T>(rows: T[], ...pick: ((row: T) => unknown)[]): unknown[][] {
  return pick.map((value) => rows.map(value));
}
