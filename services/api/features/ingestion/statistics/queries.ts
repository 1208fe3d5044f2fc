import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

const lock = plannedEachTime<{ id: number; catrn: string }>("statistics-lock-datasets")`
  SELECT id, catrn FROM data_entity
   WHERE catrn = ANY($1) AND NOT hollow AND is_live(status)
   ORDER BY id FOR NO KEY UPDATE`;

/** Locks known datasets in id order, as all writers of entities do. */
export function lockDatasets(db: Queryable, catrns: string[]) {
  return db.query(lock, [catrns]);
}

type LatestField = { dataset_id: number; catrn: string; id: number };

const latest = plannedEachTime<LatestField>("statistics-latest-fields")`
  SELECT f.dataset_id, f.catrn, f.id
    FROM latest_fields($1::bigint[]) x JOIN dataset_field f ON f.id = x.field_id
   WHERE f.catrn = ANY($2)`;

/** Of the named fields, those in the latest structure of these datasets. */
export function readLatestFields(db: Queryable, datasets: number[], fields: string[]) {
  return db.query(latest, [datasets, fields]);
}

const write = plannedEachTime("statistics-write")`
  UPDATE dataset_field f SET stats = s.stats::jsonb
    FROM unnest($1::bigint[], $2::text[]) AS s (id, stats)
   WHERE f.id = s.id`;

/** Writes statistics (JSON texts) into field rows. */
export async function writeStatistics(db: Queryable, fields: number[], stats: string[]) {
  await db.query(write, [fields, stats]);
}

const replace = plannedEachTime<{ changed: number }>("statistics-replace-tags")`
  WITH wanted AS (
    SELECT DISTINCT field_id, tag_id FROM unnest($2::bigint[], $3::bigint[]) AS l (field_id, tag_id)
  ), gone AS (
    DELETE FROM field_tag x
    WHERE x.field_id = ANY($1) AND x.origin = 'EXTERNAL_STATISTICS'
      AND NOT EXISTS (SELECT FROM wanted w WHERE w.field_id = x.field_id AND w.tag_id = x.tag_id)
    RETURNING 1
  ), made AS (
    INSERT INTO field_tag (field_id, tag_id, origin)
    SELECT field_id, tag_id, 'EXTERNAL_STATISTICS' FROM wanted
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM made) AS changed`;

/** Replaces the statistical tags of `fields` by the given links; returns how many links changed. */
export async function replaceTags(
  db: Queryable,
  fields: number[],
  links: { field: number; tag: number }[],
): Promise<number> {
  const tags = links.map(({ tag }) => tag);
  const [row] = await db.query(replace, [fields, links.map(({ field }) => field), tags]);
  return row?.changed ?? 0;
}

const refresh = plannedEachTime("statistics-refresh-documents")`
  SELECT refresh_search_documents($1)`;

export async function refreshDocuments(db: Queryable, entities: number[]) {
  await db.query(refresh, [entities]);
}
