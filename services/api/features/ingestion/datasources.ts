import type { IngestedDataSourceList } from "#contract/ingestion/others.ts";
import { forbidden, unauthenticated } from "#kit/errors.ts";
import { mayIngest, type TokenHolder, tokenHolder } from "#metadata/catalogue/tokens.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { bearerToken } from "#platform/http/request-headers.ts";
import type { Caller } from "#platform/operations/caller.ts";

type Deps = Pick<Context, "db" | "config">;

/**
 * Throws 401 when ingestion requires tokens (`auth.ingestion.filter.enabled`) and the caller's is neither that of the
 * data source nor that of its collector.
 */
export async function requireTokenOf(
  { db, config }: Deps,
  { tokenOf }: Caller,
  dataSourceCatrn: string,
): Promise<void> {
  if (!config.auth.ingestion.filter.enabled) return;
  if (tokenOf && await mayIngest(db, tokenOf, dataSourceCatrn)) return;
  throw unauthenticated(
    `The token is neither that of data source ${dataSourceCatrn} nor that of its collector`,
  );
}

/**
 * The collector that registers data sources. Where ingestion requires tokens, it must be one: throws 401 for the token
 * of a data source. Elsewhere other tokens are ignored.
 */
export async function registrar(
  { db, config }: Deps,
  caller: Caller,
  request: Request,
): Promise<number | undefined> {
  const holder = caller.tokenOf ?? await holderOf(db, request);
  if (holder?.kind === "collector") return holder.id;
  if (!config.auth.ingestion.filter.enabled) return undefined;
  throw unauthenticated("Data sources are registered with the token of a collector");
}

async function holderOf(
  db: Context["db"],
  { headers }: Request,
): Promise<Pick<TokenHolder, "kind" | "id"> | undefined> {
  const token = bearerToken(headers.get("authorization"));
  return token === undefined ? undefined : await tokenHolder(db, token);
}

/**
 * Registers data sources by CATRN; idempotent. Of several with one CATRN the last wins. A collector (by id) gets
 * them linked to it and, if they have none, to its namespace. Where ingestion requires tokens, throws 403 for a source
 * that is another's: by its token a collector would write into it.
 */
export async function registerDataSources(
  { db, config }: Deps,
  list: IngestedDataSourceList,
  collector: number | undefined,
): Promise<void> {
  const byCatrn = new Map(list.items.map((item) => [item.catrn, item]));
  const sources = [...byCatrn.values()].sort((a, b) => (a.catrn < b.catrn ? -1 : 1));
  if (sources.length === 0) return;
  if (config.auth.ingestion.filter.enabled) {
    const [other] = await db.query(sourcesOfOthers, [[...byCatrn.keys()], collector ?? null]);
    if (other) throw forbidden(`Data source ${other.catrn} is another collector's`);
  }
  await db.query(upsertSources, [
    sources.map(({ catrn }) => catrn),
    sources.map(({ name }) => name),
    sources.map(({ description }) => description ?? null),
    collector ?? null,
  ]);
}

/** One of the data sources $1 that belongs to another collector than $2 or has its own token. */
const sourcesOfOthers = statement<{ catrn: string }>("ingestion-sources-of-others")`
  SELECT catrn FROM data_source
   WHERE catrn = ANY($1) AND collector_id IS DISTINCT FROM $2
     AND (collector_id IS NOT NULL OR token_id IS NOT NULL)
   ORDER BY catrn LIMIT 1`;

/** Creates or updates data sources, in order of CATRN. Absent members keep their values. */
const upsertSources = plannedEachTime("ingestion-sources-upsert")`
  INSERT INTO data_source AS d (catrn, name, description, collector_id, namespace_id)
  SELECT s.catrn, s.name, s.description, c.id, c.namespace_id
    FROM unnest($1::text[], $2::text[], $3::text[]) AS s (catrn, name, description)
    LEFT JOIN collector c ON c.id = $4
  ON CONFLICT (catrn) DO UPDATE SET
    name = excluded.name,
    description = coalesce(excluded.description, d.description),
    collector_id = coalesce(excluded.collector_id, d.collector_id),
    namespace_id = coalesce(d.namespace_id, excluded.namespace_id),
    updated_at = now()
  WHERE (d.name, d.description, d.collector_id, d.namespace_id) IS DISTINCT FROM
    (excluded.name, coalesce(excluded.description, d.description),
     coalesce(excluded.collector_id, d.collector_id),
     coalesce(d.namespace_id, excluded.namespace_id))`;
