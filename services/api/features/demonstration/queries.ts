import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const empty = statement<{ empty: boolean }>("catalogue-is-empty")`
  SELECT NOT EXISTS (SELECT FROM data_entity) AND NOT EXISTS (SELECT FROM term)
     AND NOT EXISTS (SELECT FROM lookup_table) AS empty`;

/** Whether nothing was ever taken in or written here. */
export async function isEmptyCatalogue(db: Queryable): Promise<boolean> {
  return (await db.query(empty))[0]!.empty;
}
