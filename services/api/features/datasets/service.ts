import { type PageQuery, type PageWindow, pageWindow } from "#contract/http.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { listJson } from "#services/api/list-json.ts";

/** DataSetStructure of the newest version as JSON text. Throws 404 when there is no structure. */
export async function latestStructure(context: Context, dataset: number): Promise<string> {
  const json = await datasetStructure(context.db, dataset, null);
  if (json === undefined) throw notFound("Structure of dataset", dataset);
  return json;
}

/** DataSetStructure of one version as JSON text. Throws 404 unless the dataset has that version. */
export async function structureOf(context: Context, dataset: number, version: number) {
  const json = await datasetStructure(context.db, dataset, version);
  if (json === undefined) throw notFound(`Structure version of dataset ${dataset}`, version);
  return json;
}

/** DataSetVersionList, newest first, as JSON text. Throws 404 for an unknown or hollow entity. */
export async function listVersions(
  context: Context,
  dataset: number,
  page: PageQuery,
): Promise<string> {
  const json = await versionPage(context.db, dataset, pageWindow(page));
  if (json === undefined) throw notFound("Data entity", dataset);
  return json;
}

/**
 * The changes of every field between two versions; DataSetVersionDiffList as JSON text. Throws 400
 * when both versions are the same, 404 unless both belong to the dataset.
 */
export async function compareStructures(
  context: Context,
  dataset: number,
  from: number,
  to: number,
): Promise<string> {
  if (from === to) {
    const message = "must be another version than first_version_id";
    throw badRequest("The versions to compare are the same", [
      { field: "second_version_id", message },
    ]);
  }
  const json = await structureDiff(context.db, dataset, from, to);
  if (json === undefined) {
    throw notFound(`Structure versions of dataset ${dataset}`, `${from}, ${to}`);
  }
  return json;
}

const structure = statement<JsonRow>("dataset-structure")`
  SELECT json_build_object(
      'field_list', json_fields(v.id),
      'data_set_version', json_build_object('id', v.id, 'version', v.version,
                                            'created_at', iso(v.created_at)))::text AS json
    FROM dataset_version v JOIN data_entity e ON e.id = v.dataset_id AND NOT e.hollow
   WHERE v.dataset_id = $1 AND v.id = coalesce($2, latest_version($1))`;

/**
 * DataSetStructure as JSON text, of the newest version if `version` is null; undefined when there is
 * none.
 */
async function datasetStructure(db: Queryable, dataset: number, version: number | null) {
  const values = [dataset, version];
  const [row] = await db.query(structure, values);
  return row?.json;
}

const versions = statement<JsonRow>("dataset-versions")`
  SELECT ${
  listJson({
    each: `json_build_object('id', v.id, 'version', v.version, 'created_at', iso(v.created_at))`,
    by: "v.version DESC",
    from: `(SELECT * FROM dataset_version WHERE dataset_id = e.id
             ORDER BY version DESC LIMIT $2 OFFSET $3) v`,
    total: "counted.total",
    window: ["$2", "$3"],
  })
}::text AS json
    FROM data_entity e, LATERAL (
      SELECT count(*) AS total FROM dataset_version WHERE dataset_id = e.id) counted
   WHERE e.id = $1 AND NOT e.hollow`;

/** DataSetVersionList of one page as JSON text, newest first; undefined for an unknown entity. */
async function versionPage(
  db: Queryable,
  dataset: number,
  page: PageWindow,
): Promise<string | undefined> {
  const values = [dataset, page.limit, page.offset];
  const [row] = await db.query(versions, values);
  return row?.json;
}

// A field is the same in both versions when its CATRN and its parent are equal. A moved field
// counts as deleted in one place and created in another.
const diff = statement<JsonRow>("structure-diff")`
  WITH older AS (
    SELECT f.field, (f.field).id, (f.field).catrn, coalesce((f.field).parent_catrn, '') AS parent,
           f.ordinal, f.parent_id,
           ROW((f.field).name, (f.field).type, (f.field).logical_type, (f.field).is_nullable,
               (f.field).is_key, (f.field).is_value, (f.field).is_primary_key) AS content
      FROM fields_of_version($2) f
  ), newer AS (
    SELECT f.field, (f.field).id, (f.field).catrn, coalesce((f.field).parent_catrn, '') AS parent,
           f.ordinal, f.parent_id,
           ROW((f.field).name, (f.field).type, (f.field).logical_type, (f.field).is_nullable,
               (f.field).is_key, (f.field).is_value, (f.field).is_primary_key) AS content
      FROM fields_of_version($3) f
  ), pair AS (
    SELECT o.id AS older_id, n.id AS newer_id, coalesce(n.ordinal, o.ordinal) AS place,
           CASE WHEN o.id IS NULL THEN 'CREATED' WHEN n.id IS NULL THEN 'DELETED'
                WHEN o.content IS DISTINCT FROM n.content THEN 'UPDATED'
                ELSE 'NO_CHANGES' END AS status,
           CASE WHEN o.id IS NOT NULL THEN json_field_state(o.field, o.parent_id) END AS before,
           CASE WHEN n.id IS NOT NULL THEN json_field_state(n.field, n.parent_id) END AS after
      FROM older o FULL JOIN newer n ON n.catrn = o.catrn AND n.parent = o.parent
  )
  SELECT json_build_object('field_list', (
      SELECT coalesce(json_agg(json_build_object('status', status, 'states',
          CASE WHEN before IS NULL THEN json_build_object($3::text, after)
               WHEN after IS NULL THEN json_build_object($2::text, before)
               ELSE json_build_object($2::text, before, $3::text, after) END)
          ORDER BY place, older_id, newer_id), '[]') FROM pair))::text AS json
    FROM data_entity e
   WHERE e.id = $1 AND NOT e.hollow
     AND (SELECT count(*) FROM dataset_version v
           WHERE v.dataset_id = $1 AND v.id IN ($2::bigint, $3::bigint)) = 2`;

/** DataSetVersionDiffList as JSON text; undefined unless both are versions of the dataset. */
async function structureDiff(db: Queryable, dataset: number, from: number, to: number) {
  const [row] = await db.query(diff, [dataset, from, to]);
  return row?.json;
}
