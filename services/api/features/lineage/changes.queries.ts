import { statement } from "#metadata/postgres/statement.ts";

/** A change as JSON text, and its place among the changes. */
export interface ChangeRow {
  /** Null for a moment at which nothing changed, and for one of another data source. */
  json: string | null;
  at: string;
  change: "added" | "removed";
  establisher: number;
  parent: number;
  child: number;
}

/** The end of an edge: as it is called now, or was when it was purged. */
const endOf = (alias: string) =>
  `SELECT e.id, e.data_source_id,
          '{"id":' || e.id || ',"catrn":' || to_json(e.catrn)::text || ',"name":'
            || coalesce(to_json(coalesce(e.internal_name, e.external_name))::text, 'null') || '}' AS json
     FROM data_entity e WHERE e.id = ${alias}
      AND NOT (e.hollow AND EXISTS (SELECT FROM entity_tombstone t
                 WHERE t.entity_id = e.id AND t.purged_at >= m.at))
   UNION ALL
   (SELECT t.entity_id, s.id,
          '{"id":' || t.entity_id || ',"catrn":' || to_json(t.catrn)::text || ',"name":'
            || coalesce(to_json(coalesce(t.internal_name, t.external_name))::text, 'null')
            || ',"purged":true}'
     FROM entity_tombstone t LEFT JOIN data_source s ON s.catrn = t.source_catrn
    WHERE t.entity_id = ${alias} AND t.purged_at >= m.at
      AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = ${alias} AND NOT e.hollow)
    ORDER BY t.purged_at LIMIT 1)`;

const deletedAsOf = (alias: string) =>
  `EXISTS (SELECT FROM entity_deletion d WHERE d.entity_id = ${alias} AND d.since <= m.standing_at
             AND (d.until IS NULL OR d.until > m.standing_at))`;

/**
 * $1 after, $2 up to, $3 most moments, $4–$8 the place after which (time, change, establisher, parent, child), $9 data
 * source of one of the ends or null. Newest first.
 */
export const changesBetween = statement<ChangeRow>("lineage_changes")`
SELECT iso(m.at) AS at, m.change, m.establisher_id AS establisher, m.parent_id AS parent,
       m.child_id AS child,
       CASE WHEN NOT (${deletedAsOf("m.parent_id")}) AND NOT (${deletedAsOf("m.child_id")})
             AND ($9::bigint IS NULL OR p.data_source_id = $9 OR c.data_source_id = $9)
            THEN '{"at":"' || iso(m.at) || '","change":"' || m.change || '","source":' || p.json
              || ',"target":' || c.json || ',"establisher":' || x.json || '}' END AS json
  FROM lineage_moments($1, $2, $3, $4, $5, $6, $7, $8) m
  LEFT JOIN LATERAL (${endOf("m.parent_id")}) p ON true
  LEFT JOIN LATERAL (${endOf("m.child_id")}) c ON true
  LEFT JOIN LATERAL (${endOf("m.establisher_id")}) x ON true
 ORDER BY m.at DESC, m.change, m.establisher_id, m.parent_id, m.child_id`;

/** When the history begins, as an ISO 8601 text; null when nothing was forgotten. */
export const historyBegins = statement<{ at: string | null }>("lineage_history_begins")`
SELECT CASE WHEN isfinite(at) THEN iso(at) END AS at FROM lineage_history_begin`;
