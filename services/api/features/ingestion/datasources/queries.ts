import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";

export interface SourceRow {
  catrn: string;
  name: string;
  description?: string;
}

const others = statement<{ catrn: string }>("ingestion-sources-of-others")`
  SELECT catrn FROM data_source
   WHERE catrn = ANY($1) AND collector_id IS DISTINCT FROM $2
     AND (collector_id IS NOT NULL OR token_id IS NOT NULL)
   ORDER BY catrn LIMIT 1`;

/** One of these data sources that belongs to another collector or has its own token; undefined when there is none. */
export async function sourceOfOthers(
  db: Queryable,
  catrns: string[],
  collector: number | null,
): Promise<string | undefined> {
  return (await db.query(others, [catrns, collector]))[0]?.catrn;
}

const upsert = plannedEachTime("ingestion-sources-upsert")`
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

/**
 * Creates or updates data sources (distinct, in order of CATRN). Absent members keep their values. `collector`: its
 * id.
 */
export async function upsertDataSources(
  db: Queryable,
  sources: SourceRow[],
  collector: number | undefined,
): Promise<void> {
  await db.query(upsert, [
    sources.map(({ catrn }) => catrn),
    sources.map(({ name }) => name),
    sources.map(({ description }) => description ?? null),
    collector ?? null,
  ]);
}
