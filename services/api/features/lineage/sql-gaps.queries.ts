import { statement } from "#metadata/postgres/statement.ts";

/** The gaps of readings `r` as SqlLineageGaps, with commas between; those about dataset $1 only, or all. */
export const gapsJson = (condition: string) => `
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
export const outputsJson = `
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
