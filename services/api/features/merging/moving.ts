import { type Statement, statement } from "#metadata/postgres/statement.ts";

/**
 * A statement that gives the row $1 the links that the rows $2 have in a table, and leaves theirs, which go with them.
 * `others`: the further columns of a link.
 */
// change-ok -- it makes a statement, which its caller runs
export function copyLinks(table: string, column: string, others: string[]): Statement {
  const rest = others.join(", ");
  return statement(nameOf(table, column))`
  INSERT INTO ${table} (${column}, ${rest})
  SELECT $1::bigint, ${rest} FROM ${table} WHERE ${column} = ANY($2::bigint[]) ON CONFLICT DO NOTHING`;
}

/** A statement that makes what refers to the rows $2 refer to the row $1. */
export function redirect(table: string, column: string): Statement {
  return statement(nameOf(table, column))`
  UPDATE ${table} SET ${column} = $1 WHERE ${column} = ANY($2::bigint[])`;
}

const nameOf = (table: string, column: string) => `merge-${table}-${column}`.replaceAll("_", "-");

/** Maximum number of entities and columns that one merge moves; each has an event in the feed. */
export const maxMoved = 100_000;
