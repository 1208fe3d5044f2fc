import { entityClasses, type entityTypes, type fieldTypes } from "#contract/entities.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { maxExportedSide, page } from "./limits.ts";

/** A neighbour in lineage: its CATRN, and whether it is a job. */
export type Neighbour = [catrn: string, job: boolean];

/** A field: its own CATRN and that of the field it is nested in, name, type, type as its system calls it, description. */
export type FieldRow = [
  catrn: string,
  parent: string | null,
  name: string,
  type: (typeof fieldTypes)[number],
  logicalType: string | null,
  description: string | null,
];

/** A column edge that an entity declares; a path is null for the dataset as a whole. */
export type ColumnRow = [
  target: string,
  targetPath: string | null,
  source: string,
  sourcePath: string | null,
  kind: 0 | 1,
  subtype: string | null,
  masking: boolean | null,
  description: string | null,
];

/** What is exported of an entity. */
export interface ExportedEntity {
  catrn: string;
  /** A dataset, which other datasets may be made from; else a job. */
  dataset: boolean;
  parents: Neighbour[];
  children: Neighbour[];
  /** What is known of it today; absent as of a past time. */
  today?: {
    type: keyof typeof entityTypes | null;
    description: string | null;
    sql: string | null;
    url: string | null;
    fields: FieldRow[];
    columns: ColumnRow[];
    owners: [name: string, title: string | null][];
  };
}

/** A row of a page: an entity as JSON text. */
export interface PageRow {
  id: number;
  /** Whether there are further ones after the page. */
  more: boolean;
  /** Null for one that was not there at the time. */
  json: string | null;
}

const { DATA_SET, DATA_TRANSFORMER, DATA_CONSUMER, DATA_INPUT } = entityClasses;
const jobs = [DATA_TRANSFORMER, DATA_CONSUMER, DATA_INPUT].join();

/** Whether an entity of these classes is exported: as a dataset, or as a job. */
export const exportable = (classes: string) => `${classes} && '{${DATA_SET},${jobs}}'::smallint[]`;
export const isDataset = (classes: string) => `${DATA_SET} = ANY (${classes})`;
/** What is only named by others counts as a dataset. */
export const isJob = (classes: string) =>
  `(NOT ${isDataset(classes)} AND ${classes} && '{${jobs}}'::smallint[])`;

const maxRead = maxExportedSide + 1;

const count = (near: string) =>
  `(SELECT count(*) FROM (
     SELECT FROM lineage_edge l WHERE l.live AND l.${near} = c.id LIMIT ${maxRead}) n)`;

const neighbours = (near: string, far: string) =>
  `coalesce((
    SELECT json_agg(json_build_array(x.catrn, ${isJob("x.class_ids")}) ORDER BY x.catrn)
      FROM (SELECT DISTINCT l.${far} AS id FROM lineage_edge l
             WHERE l.live AND l.${near} = e.id ORDER BY 1 LIMIT ${maxRead}) n
      JOIN data_entity x ON x.id = n.id WHERE x.hollow OR ${exportable("x.class_ids")}), '[]')`;

const fields = `coalesce((
    SELECT json_agg(json_build_array(f.catrn, f.parent_catrn, f.name, f.type, f.logical_type,
             coalesce(f.internal_description, f.external_description)) ORDER BY v.ordinal)
      FROM dataset_version_field v JOIN dataset_field f ON f.id = v.field_id
     WHERE v.version_id = latest_version(e.id)), '[]')`;

/** What is read from SQL would be taken as declared elsewhere; the SQL itself goes along. */
const declared = "l.origin = 0";

const columns = `coalesce((
    SELECT json_agg(json_build_array(t.catrn, tc.path, s.catrn, sc.path, l.kind, l.subtype, l.masking,
             l.description) ORDER BY t.catrn, tc.path, s.catrn, sc.path, l.kind)
      FROM column_edge l
      JOIN data_entity t ON t.id = l.target_dataset LEFT JOIN dataset_column tc ON tc.id = l.target_id
      JOIN data_entity s ON s.id = l.source_dataset LEFT JOIN dataset_column sc ON sc.id = l.source_id
     WHERE l.live AND l.establisher_id = e.id AND ${declared}), '[]')`;

const owners = `coalesce((
    SELECT json_agg(json_build_array(w.name, t.name) ORDER BY w.name)
      FROM ownership o JOIN owner w ON w.id = o.owner_id LEFT JOIN title t ON t.id = o.title_id
     WHERE o.entity_id = e.id), '[]')`;

/**
 * $1 id after which, $2 data source or null for all: the next entities as they are now, with all that is exported of
 * them. The data source is compared so that no index of it is used: those would be sorted for each page.
 */
export const nextPage = statement<PageRow>("openlineage-export")`
WITH candidate AS MATERIALIZED (
  SELECT e.id FROM data_entity e
   WHERE e.id > $1 AND NOT e.hollow AND is_live(e.status) AND ${exportable("e.class_ids")}
     AND ($2::bigint IS NULL OR e.data_source_id IS NOT DISTINCT FROM $2)
   ORDER BY e.id LIMIT ${page.entities} + 1
), sized AS (
  SELECT c.id, row_number() OVER (ORDER BY c.id) AS place, sum(s.parts) OVER (ORDER BY c.id) - s.parts AS before
    FROM candidate c CROSS JOIN LATERAL (
      SELECT ${count("child_id")} + ${count("parent_id")}
        + (SELECT count(*) FROM column_edge l WHERE l.establisher_id = c.id AND ${declared})
        + coalesce((SELECT cardinality(field_ids) FROM dataset_version
                     WHERE id = latest_version(c.id)), 0) AS parts OFFSET 0) s
), taken AS MATERIALIZED (
  SELECT id FROM sized WHERE place <= ${page.entities} AND before < ${page.parts}
)
SELECT e.id, (SELECT count(*) FROM candidate) > (SELECT count(*) FROM taken) AS more,
       json_build_object('catrn', e.catrn, 'dataset', ${isDataset("e.class_ids")},
         'parents', ${neighbours("child_id", "parent_id")},
         'children', CASE WHEN ${isJob("e.class_ids")}
            THEN ${neighbours("parent_id", "child_id")} ELSE '[]' END,
         'today', json_build_object('type', t.name,
           'description', coalesce(e.internal_description, e.external_description),
           'sql', e.attributes #>> '{data_transformer,sql}',
           'url', e.attributes #>> '{data_transformer,source_code_url}',
           'fields', ${fields}, 'columns', ${columns}, 'owners', ${owners}))::text AS json
  FROM taken JOIN data_entity e USING (id) LEFT JOIN entity_type t ON t.id = e.type_id
 ORDER BY e.id`;

/** $1 id. One row for a data source that there is. */
export const dataSource = statement("openlineage-export-source")`
SELECT FROM data_source WHERE id = $1`;
