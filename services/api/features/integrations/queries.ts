import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { integrations } from "#services/api/features/integrations/content/all.ts";

const arrived = statement<{ ids: string[] }>("integrations-arrived")`
  SELECT array_remove(ARRAY[${
  integrations.map(({ id, arrived }) => `CASE WHEN ${arrived} THEN '${id}' END`).join(", ")
}], NULL) AS ids`;

/** Ids of the integrations by which something came; `own`: CATRN of the trace gateway's data source. */
export async function arrivedBy(db: Queryable, own: string): Promise<string[]> {
  return (await db.query(arrived, [own]))[0]!.ids;
}
