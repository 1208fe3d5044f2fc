import * as encode from "#metadata/postgres/array-parameters.ts";

/** Makes the parameter of one column; `bigint`, `integer` and so on make one for an array of that type. */
export type Column<T> = (rows: T[]) => unknown;

type Pick<T, V> = (row: T) => V | null | undefined;

/** One array per column, as `unnest` takes them; the type of each is that of the statement. */
export function columns<T>(rows: T[], ...made: Column<T>[]): unknown[] {
  return made.map((column) => column(rows));
}

export function bigint<T>(pick: Pick<T, number>): Column<T> {
  return (rows) => encode.bigints(rows.map(pick));
}

export function integer<T>(pick: Pick<T, number>): Column<T> {
  return (rows) => encode.integers(rows.map(pick));
}

export function smallint<T>(pick: Pick<T, number>): Column<T> {
  return (rows) => encode.smallints(rows.map(pick));
}

export function boolean<T>(pick: Pick<T, boolean>): Column<T> {
  return (rows) => encode.booleans(rows.map(pick));
}

export function text<T>(pick: Pick<T, string>): Column<T> {
  return (rows) => encode.texts(rows.map(pick));
}
