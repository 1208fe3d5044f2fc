import { statement } from "#metadata/postgres/statement.ts";
import type { AnswerLists } from "#services/api/features/lineage/column-answer.ts";

/** One number for each row, as text with commas between; null for no row. */
const list = (of: string) => `array_to_string(array_agg(${of}), ',', 'null')`;

/** JSON of a text, or null. */
const text = (of: string) => `coalesce(to_json(${of})::text, 'null')`;

/** The properties of an edge: null for most, which are declared without any. */
const said =
  `CASE WHEN kind <> 0 OR origin <> 0 OR subtype IS NOT NULL OR masking IS NOT NULL OR description IS NOT NULL
  THEN CASE kind WHEN 0 THEN ',"kind":"DIRECT"' ELSE ',"kind":"INDIRECT"' END
    || ',"subtype":' || ${text("subtype")} || ',"masking":' || coalesce(masking::text, 'null')
    || ',"description":' || ${text("description")}
    || CASE origin WHEN 0 THEN ',"origin":"DECLARED"' ELSE ',"origin":"SQL"' END END`;

/** Columns of a column_named `c` that is the field `f`, if any. */
const shownAs = (name: string) =>
  `c.id, c.dataset_id, ${name} AS name, f.field_id, f.type, f.logical_type, f.is_nullable`;

/**
 * To follow the tables met, column_named, shown, dataset and beside: what an answer is made of, as `AnswerLists`.
 * They are lists since a row for each edge, or its JSON, would take PostgreSQL longer than to find it. Columns come before
 * fields and whole datasets, which have larger ids; of fields that differ in letter case alone, a column is the one that
 * is spelled as it is. `purged` reads the datasets that are there no more.
 */
const listedWith = (purged: string) => `
column_list AS (
  SELECT ${list("id")} AS ids, ${list("dataset_id")} AS dataset_ids, ${
  list("field_id")
} AS field_ids,
         json_agg(name) AS names, json_agg(type) AS types, json_agg(logical_type) AS logical_types,
         string_agg(CASE WHEN is_nullable THEN 't' ELSE 'f' END, '') AS nullable
    FROM (
      SELECT * FROM (
        SELECT DISTINCT ON (c.id) ${shownAs("coalesce(f.path, c.path)")}
          FROM column_named c LEFT JOIN shown f ON f.dataset_id = c.dataset_id AND f.folded = c.folded
         WHERE c.folded IS NOT NULL
         ORDER BY c.id, f.path <> c.path, f.field_id) named
      UNION ALL
      SELECT ${shownAs("f.path")}
        FROM column_named c LEFT JOIN shown f ON f.field_id = c.field_id
       WHERE c.folded IS NULL
      ORDER BY id) c
), edge_list AS (
  SELECT ${list("source_id")} AS source_ids, ${list("target_id")} AS target_ids,
         ${list("establisher_id")} AS establisher_ids,
         CASE WHEN count(said) > 0 THEN json_agg(said) END AS said,
         ${list("(date_part('epoch', since) * 1000)::bigint")} AS since
    FROM (SELECT *, ${said} AS said FROM met
           ORDER BY source_id, target_id, kind, establisher_id) e
), dataset_list AS (
  SELECT string_agg(d.json::text, ',' ORDER BY d.id) AS datasets FROM (
    SELECT e.id, json_build_object('id', e.id, 'catrn', e.catrn,
        'external_name', e.external_name, 'internal_name', e.internal_name,
        'data_source', json_data_source(s, n), 'status', json_status(e)) AS json
      FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
      LEFT JOIN namespace n ON n.id = s.namespace_id
     WHERE e.id IN (SELECT id FROM dataset UNION SELECT id FROM beside)${purged}) d
)`;

/** The columns of a statement that ends with `listedWith`. */
const lists = `c.ids, c.dataset_ids, c.names, c.field_ids, c.types, c.logical_types, c.nullable,
  e.source_ids, e.target_ids, e.establisher_ids, e.said, e.since, d.datasets`;
const listed = "column_list c, edge_list e, dataset_list d";

const described = listedWith("");

/** $9 is the past time. A dataset that was purged since is listed under its name at that time. */
const describedAsOf = listedWith(`
    UNION ALL
    SELECT g.id, json_build_object('id', g.id, 'catrn', g.catrn, 'external_name', g.external_name,
        'internal_name', g.internal_name, 'data_source', NULL,
        'status', json_build_object('status', status_name(5::smallint), 'status_switch_time', NULL),
        'purged', true)
      FROM (SELECT DISTINCT ON (t.entity_id) t.entity_id AS id, t.catrn, t.external_name, t.internal_name
              FROM entity_tombstone t
             WHERE t.purged_at > $9::timestamptz
               AND t.entity_id IN (SELECT id FROM dataset UNION SELECT id FROM beside)
               AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = t.entity_id)
             ORDER BY t.entity_id, t.purged_at) g`);

/** To follow the table reached (ids: nodes, some more than once): what each stands for, and the newest fields. */
const naming = `
node AS MATERIALIZED (
  SELECT DISTINCT n AS id FROM reached, unnest(ids) n WHERE n > 1::bigint << 51
), column_named AS MATERIALIZED (
  SELECT c.id, c.dataset_id, c.path, c.folded, NULL::bigint AS field_id
    FROM dataset_column c WHERE c.id = ANY ((SELECT ids FROM reached)::bigint[])
  UNION ALL
  SELECT n.id, dataset_as_whole(n.id), NULL, NULL, NULL FROM node n WHERE n.id > 1::bigint << 52
  UNION ALL
  SELECT n.id, f.dataset_id, NULL, NULL, f.id
    FROM node n JOIN dataset_field f ON f.id = n.id - (1::bigint << 51)
   WHERE n.id < 1::bigint << 52
), dataset AS MATERIALIZED (
  SELECT dataset_id AS id, bool_or(folded IS NOT NULL OR field_id IS NOT NULL) AS by_column
    FROM column_named GROUP BY dataset_id
), shown AS MATERIALIZED (
  SELECT f.*, search_lower(f.path) COLLATE "C" AS folded
    FROM field_paths(ARRAY(SELECT id FROM dataset WHERE by_column)) f
)`;

/** The walk's members are null when the dataset is not visible, or a column is unknown. */
interface ColumnWalkRow extends AnswerLists {
  visible: boolean;
  unknown: string[];
  requested: number[];
  /** Whether the dataset has more columns than may be requested. */
  more: boolean;
  head: number;
  cut: "nodes" | "time" | null;
  truncated: string | null;
}

/** The live edges that touch what was followed. */
const metCurrent = `
  SELECT e.* FROM column_edge e
   WHERE $3 AND e.live AND e.source_id = ANY ((SELECT places FROM followed)::bigint[])
  UNION ALL
  SELECT e.* FROM column_edge e
   WHERE NOT $3 AND e.live AND e.target_id = ANY ((SELECT places FROM followed)::bigint[])`;

const metAsOf = `
  SELECT e.* FROM followed f, column_edges_standing(f.places, $3, $9) e`;

interface Walk {
  root: string;
  /** Whether to walk at all. */
  allowed: string;
  /** The time that the walk takes. */
  at: string;
  met: string;
  described: string;
}

const walkOf = ({ root, allowed, at, met, described }: Walk) => `
WITH ${root}, walk AS MATERIALIZED (
  SELECT w.* FROM root r, column_walk(r.ids, $3, $4, $5, $6, $7, $8 * interval '1 millisecond', ${at}) w
   WHERE ${allowed}
), followed AS MATERIALIZED (
  SELECT column_places(w.ids[:w.followed], cardinality(r.ids), $3, $4, $5) AS places FROM walk w, root r
), met AS MATERIALIZED (
  SELECT * FROM (${met}) e
   WHERE ($4 OR kind = 0) AND (NOT (SELECT partly FROM walk)
      OR CASE WHEN $3 THEN target_id ELSE source_id END IN (SELECT unnest(ids) FROM walk))
), reached AS MATERIALIZED (
  SELECT r.asked || w.ids[cardinality(r.ids) + 1:] || w.open
      || ARRAY(SELECT source_id FROM met WHERE $5 OR source_id > 1::bigint << 52)
      || ARRAY(SELECT target_id FROM met WHERE $5 OR target_id > 1::bigint << 52) AS ids
    FROM walk w, root r
), beside AS (SELECT $1::bigint AS id), ${naming}, ${described}
SELECT r.visible, r.unknown, r.asked AS requested, r.more, w.head, w.cut, ${lists}, (
    SELECT string_agg('{"id":' || o || ',"remaining_depth":'
        || CASE WHEN w.partly AND o <> ALL (r.ids) THEN $6 - 1 ELSE $6 - w.whole END || '}', ',' ORDER BY o)
      FROM unnest(w.open) o) AS truncated
  FROM root r LEFT JOIN walk w ON true, ${listed}`;

/**
 * The table root: whether the dataset $1 is visible today, the nodes of its columns by name ($2, or null for all) as far
 * as $7 allows, whether there are more, where the walk begins, and the names that no column has. A column is known by the
 * newest structure of its dataset, or `named` by an edge of it.
 */
const rootOf = (before: string, named: string) => `
field AS (
  SELECT DISTINCT ON (folded) field_id, folded
    FROM (SELECT field_id, search_lower(path) COLLATE "C" AS folded
            FROM field_paths(ARRAY[$1::bigint])) f
   ORDER BY folded, field_id
), named AS (
  SELECT c.id, c.folded FROM dataset_column c WHERE c.dataset_id = $1
), ${before} known AS MATERIALIZED (
  SELECT folded, coalesce(n.id, (1::bigint << 51) + f.field_id) AS node
    FROM field f FULL JOIN named n USING (folded)
   WHERE f.field_id IS NOT NULL OR ${named}
), wanted AS MATERIALIZED (
  SELECT name, search_lower(name) COLLATE "C" AS folded FROM unnest($2::text[]) AS name
), root AS MATERIALIZED (
  SELECT visible, unknown, nodes[:$7] AS asked, cardinality(nodes) > $7 AS more,
         nodes[:$7] || CASE WHEN $2::text[] IS NULL THEN ARRAY[whole_dataset($1)] END AS ids
    FROM (
      SELECT coalesce(is_live(e.status), false) AS visible,
             ARRAY(SELECT k.node FROM known k
                    WHERE $2::text[] IS NULL OR k.folded IN (SELECT folded FROM wanted)
                    ORDER BY k.folded)::bigint[] AS nodes,
             ARRAY(SELECT w.name FROM wanted w
                    WHERE w.folded NOT IN (SELECT folded FROM known) ORDER BY w.name) AS unknown
        FROM (SELECT $1::bigint AS id) dataset LEFT JOIN data_entity e USING (id)) found
)`;

/** $1 to $7 of `columnLineage`; live edges name columns. */
const rootNow = rootOf(
  "",
  `EXISTS (SELECT FROM column_edge e WHERE e.live AND e.source_id = n.id)
      OR EXISTS (SELECT FROM column_edge e WHERE e.live AND e.target_id = n.id)`,
);

/** The same; edges that stood at the past time $9 name columns. */
const rootAsOf = rootOf(
  `touched AS (
  SELECT source_id AS id FROM column_edges_standing(ARRAY(SELECT id FROM named), true, $9)
  UNION SELECT target_id FROM column_edges_standing(ARRAY(SELECT id FROM named), false, $9)
),`,
  "n.id IN (SELECT id FROM touched)",
);

/**
 * One row. $1 dataset, $2 names of the requested columns, or null for all and the dataset as a whole, $3 whether
 * downstream, $4 whether INDIRECT edges count, $5 whether to go through whole datasets, $6 depth, $7 most nodes, $8
 * milliseconds.
 */
export const columnLineage = statement<ColumnWalkRow>("column_lineage")`
${
  walkOf({
    root: rootNow,
    allowed: "r.visible AND r.unknown = '{}'",
    at: "NULL",
    met: metCurrent,
    described,
  })
}`;

/** As `columnLineage`; $9 a past time. Does not check whether the dataset existed then. */
export const columnLineageAt = statement<ColumnWalkRow>("column_lineage_at")`
${
  walkOf({
    root: rootAsOf,
    allowed: "r.unknown = '{}'",
    at: "$9",
    met: metAsOf,
    described: describedAsOf,
  })
}`;

interface ColumnEdgesRow extends AnswerLists {
  total: number;
  more: boolean;
  /** JSON of a SqlLineageReading; null where no SQL was read. */
  sql: string | null;
  gaps: string | null;
}

/** The gaps of readings `r` as SqlLineageGaps, with commas between; those about dataset $1 only, or all. */
const gapsJson = (condition: string) => `
  SELECT string_agg(json_build_object('establisher_id', r.entity_id, 'dataset_id', g.gap -> 'dataset',
           'column', g.gap -> 'column', 'reason', g.gap -> 'reason', 'line', g.gap -> 'line',
           'position', g.gap -> 'position')::text, ',' ORDER BY r.entity_id, g.place)
    FROM sql_reading r, jsonb_array_elements(r.gaps) WITH ORDINALITY g (gap, place)
   WHERE ${condition}`;

/** $1 dataset: what could not be traced of it in the SQL of those that write it. */
export const gapsInto = statement<{ gaps: string | null }>("sql_gaps_into")`
  SELECT (${
  gapsJson(
    `r.entity_id IN (SELECT l.establisher_id FROM lineage_edge l WHERE l.child_id = $1 AND l.live
        UNION SELECT $1)
     AND (g.gap -> 'dataset' = to_jsonb($1::bigint))`,
  )
}) AS gaps`;

/**
 * SqlLineageOutputs of entity $1: the columns to which SQL leads, and those that gaps name. A star of unknown columns
 * names none, and counts as none.
 */
const outputsJson = `
  SELECT coalesce(json_agg(json_build_object('dataset_id', o.dataset_id, 'columns', o.columns,
           'partly_traced', o.partly_traced, 'not_traced', o.not_traced) ORDER BY o.dataset_id), '[]')
    FROM (
      SELECT dataset_id, count(*) AS columns,
             count(*) FILTER (WHERE traced AND gap) AS partly_traced,
             count(*) FILTER (WHERE NOT traced) AS not_traced
        FROM (
          SELECT dataset_id, folded, bool_or(traced) AS traced, bool_or(NOT traced) AS gap
            FROM (
              SELECT c.dataset_id, c.folded, true AS traced
                FROM column_edge e JOIN dataset_column c ON c.id = e.target_id
               WHERE e.establisher_id = $1 AND e.live AND e.origin = 1 AND e.kind = 0
              UNION ALL
              SELECT (g.gap ->> 'dataset')::bigint, search_lower(g.gap ->> 'column'), false
                FROM sql_reading r, jsonb_array_elements(r.gaps) g (gap)
               WHERE r.entity_id = $1 AND g.gap ? 'dataset' AND g.gap ? 'column') said
           GROUP BY dataset_id, folded) by_column
       GROUP BY dataset_id) o`;

/** $1 id, $2 limit, $3 offset. A page of the live column edges that an entity declares; no row for an unknown one. */
export const columnEdgesOf = statement<ColumnEdgesRow>("column_edges_of")`
WITH met AS MATERIALIZED (
  SELECT * FROM column_edge WHERE establisher_id = $1 AND live
   ORDER BY source_id, target_id, kind LIMIT $2 OFFSET $3
), reached AS MATERIALIZED (
  SELECT ARRAY(SELECT source_id FROM met) || ARRAY(SELECT target_id FROM met) AS ids
), beside AS (SELECT 0::bigint AS id), ${naming}, ${described}, total AS (
  SELECT count(*) AS edges FROM column_edge WHERE establisher_id = $1 AND live
)
SELECT ${lists}, t.edges AS total, $2::bigint + $3 < t.edges AS more,
       (SELECT json_build_object('outcome', r.outcome, 'read_at', iso(r.read_at),
               'outputs', (${outputsJson}))::text
          FROM sql_reading r WHERE r.entity_id = $1 AND r.outcome <> 'reading') AS sql,
       (${gapsJson("r.entity_id = $1")}) AS gaps
  FROM data_entity s, total t, ${listed} WHERE s.id = $1 AND NOT s.hollow AND is_live(s.status)`;
