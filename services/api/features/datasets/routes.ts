import { z } from "@hono/zod-openapi";
import {
  DataSetStructure,
  DataSetVersionDiffList,
  DataSetVersionList,
} from "#contract/catalogue/dataset.ts";
import { idParam, integerQuery, type PageQuery, pageQuery, pageWindow } from "#contract/http.ts";
import { badRequest } from "#kit/errors.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { foundJson, listJson } from "#services/api/list-json.ts";

const common = {
  method: "get" as const,
  tag: "dataSet",
  access: "signed-in" as const,
};
const dataset = { data_entity_id: idParam("data_entity_id") };
const versionQuery = (name: string) =>
  integerQuery(name, { min: 1, max: Number.MAX_SAFE_INTEGER, required: true });

const latestSpec = operation({
  ...common,
  id: "getDataSetStructureLatest",
  path: "/api/datasets/{data_entity_id}/structure",
  summary: "The newest structure of a dataset",
  params: z.object(dataset),
  responses: { 200: { description: "Fields and version", schema: DataSetStructure } },
});

const diffSpec = operation({
  ...common,
  id: "getDataSetStructureDiff",
  path: "/api/datasets/{data_entity_id}/structure/diff",
  summary: "What became of each field from one version to another",
  params: z.object(dataset),
  query: z.object({
    first_version_id: versionQuery("first_version_id"),
    second_version_id: versionQuery("second_version_id"),
  }),
  responses: { 200: { description: "Every field of both", schema: DataSetVersionDiffList } },
});

const versionSpec = operation({
  ...common,
  id: "getDataSetStructureByVersionId",
  path: "/api/datasets/{data_entity_id}/structure/{version_id}",
  summary: "The structure of a dataset in one of its versions",
  params: z.object({ ...dataset, version_id: idParam("version_id") }),
  responses: { 200: { description: "Fields and version", schema: DataSetStructure } },
});

const versionsSpec = operation({
  ...common,
  id: "getDataSetVersions",
  path: "/api/datasets/{data_entity_id}/versions",
  summary: "Every version of a dataset's structure, the newest first",
  params: z.object(dataset),
  query: z.object(pageQuery),
  responses: { 200: { description: "One page", schema: DataSetVersionList } },
});

/** The operations that read the structure of datasets. */
export function datasetRoutes(context: Context): Route[] {
  return [
    serve(latestSpec, ({ params }) => readStructure(context, params.data_entity_id)),
    serve(diffSpec, ({ params, query }) => {
      const { first_version_id: from, second_version_id: to } = query;
      return compareStructures(context, params.data_entity_id, from, to);
    }),
    serve(
      versionSpec,
      ({ params }) => readStructure(context, params.data_entity_id, params.version_id),
    ),
    serve(versionsSpec, ({ params, query }) => listVersions(context, params.data_entity_id, query)),
  ];
}

/** $1 dataset, $2 id of the version; null: the newest. */
const structure = statement<JsonRow>("dataset-structure")`
  SELECT json_build_object(
      'field_list', json_fields(v.id),
      'data_set_version', json_build_object('id', v.id, 'version', v.version,
                                            'created_at', iso(v.created_at)))::text AS json
    FROM dataset_version v JOIN data_entity e ON e.id = v.dataset_id AND NOT e.hollow
   WHERE v.dataset_id = $1 AND v.id = coalesce($2, latest_version($1))`;

/** DataSetStructure of one version, by default the newest, as JSON text. Throws 404 unless the dataset has it. */
async function readStructure({ db }: Context, dataset: number, version?: number): Promise<string> {
  const rows = await db.query(structure, [dataset, version ?? null]);
  if (version === undefined) return foundJson(rows, "Structure of dataset", dataset);
  return foundJson(rows, `Structure version of dataset ${dataset}`, version);
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

/** DataSetVersionList, newest first, as JSON text. Throws 404 for an unknown or hollow entity. */
async function listVersions({ db }: Context, dataset: number, page: PageQuery): Promise<string> {
  const { limit, offset } = pageWindow(page);
  const rows = await db.query(versions, [dataset, limit, offset]);
  return foundJson(rows, "Data entity", dataset);
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

/**
 * The changes of every field between two versions; DataSetVersionDiffList as JSON text. Throws 400
 * when both versions are the same, 404 unless both belong to the dataset.
 */
async function compareStructures(
  { db }: Context,
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
  const rows = await db.query(diff, [dataset, from, to]);
  return foundJson(rows, `Structure versions of dataset ${dataset}`, `${from}, ${to}`);
}
