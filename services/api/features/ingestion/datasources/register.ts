import type { IngestedDataSourceList } from "#contract/ingestion/others.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { upsertDataSources } from "./queries.ts";

/**
 * Registers data sources by CATRN; idempotent. Of several with one CATRN the last wins. A collector (by id) gets
 * them linked to it and, if they have none, to its namespace.
 */
export async function registerDataSources(
  db: Database,
  list: IngestedDataSourceList,
  collector: number | undefined,
): Promise<void> {
  const byCatrn = new Map(list.items.map((item) => [item.catrn, item]));
  const sources = [...byCatrn.values()].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  if (sources.length > 0) await upsertDataSources(db, sources, collector);
}
