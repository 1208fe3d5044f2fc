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
export const rootNow = rootOf(
  "",
  `EXISTS (SELECT FROM column_edge e WHERE e.live AND e.source_id = n.id)
      OR EXISTS (SELECT FROM column_edge e WHERE e.live AND e.target_id = n.id)`,
);

/** The same; edges that stood at the past time $9 name columns. */
export const rootAsOf = rootOf(
  `touched AS (
  SELECT source_id AS id FROM column_edges_standing(ARRAY(SELECT id FROM named), true, $9)
  UNION SELECT target_id FROM column_edges_standing(ARRAY(SELECT id FROM named), false, $9)
),`,
  "n.id IN (SELECT id FROM touched)",
);
