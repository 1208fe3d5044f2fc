import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

const source = statement("expiry-source")`SELECT FROM data_source WHERE id = $1`;

/** Whether there is such a data source. */
export async function isSource(db: Queryable, id: number): Promise<boolean> {
  return (await db.query(source, [id])).length > 0;
}
