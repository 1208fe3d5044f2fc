import type { IngestedDataSourceList } from "#contract/ingestion/others.ts";
import { forbidden } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { sourceOfOthers, upsertDataSources } from "./queries.ts";

/**
 * Registers data sources by CATRN; idempotent. Of several with one CATRN the last wins. A collector (by id) gets
 * them linked to it and, if they have none, to its namespace. Where ingestion requires tokens, throws 403 for a source
 * that is another's: by its token a collector would write into it.
 */
export async function registerDataSources(
  { db, config }: Pick<Context, "db" | "config">,
  list: IngestedDataSourceList,
  collector: number | undefined,
): Promise<void> {
  const byCatrn = new Map(list.items.map((item) => [item.catrn, item]));
  const sources = [...byCatrn.values()].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  if (sources.length === 0) return;
  if (config.auth.ingestion.filter.enabled) {
    const other = await sourceOfOthers(db, [...byCatrn.keys()], collector ?? null);
    if (other !== undefined) throw forbidden(`Data source ${other} is another collector's`);
  }
  await upsertDataSources(db, sources, collector);
}
