import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

export interface SourceNames {
  name: string;
  catrn: string;
}

const source = statement<SourceNames>("expiry-source")`
  SELECT name, catrn FROM data_source WHERE id = $1`;

/** How a data source is called; undefined when there is none. */
export async function sourceOf(db: Queryable, id: number): Promise<SourceNames | undefined> {
  return (await db.query(source, [id]))[0];
}
