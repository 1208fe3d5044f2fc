import type { AlertSeverity } from "#contract/catalogue/alerts.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { maxCounted } from "#services/api/features/alerts/limits.ts";

/**
 * AlertImpact of each of these alerts that lists show, in their order, each once; walks share the time of one lineage
 * request. `silences`: whether the caller may see them.
 */
export async function readImpacts(
  { db, config }: Pick<Context, "db" | "config">,
  ids: number[],
  { silences }: { silences: boolean },
) {
  const values = [[...new Set(ids)], maxCounted, config.lineage.timeout, silences];
  const rows = await db.reads.query(impactOfAlerts, values);
  return rows.map(({ alert_id, total, consumers, at_least, silence }) => ({
    alert_id,
    severity: severityOf({ total, consumers }),
    affected_total: total,
    affected_consumers: consumers,
    affected_at_least: at_least,
    silence,
  }));
}

interface ImpactRow {
  alert_id: number;
  total: number;
  consumers: number;
  at_least: boolean;
  silence: { id: number; until: string; created_by: string | null; comment: string | null } | null;
}

/**
 * $1 alerts, $2 rows read for each at most, $3 milliseconds after which walks end, $4 whether silences are shown. A row
 * for each alert that lists show, in their order. What is downstream of one entity is counted once.
 */
const impactOfAlerts = statement<ImpactRow>("alerts-impact")`
WITH shown AS MATERIALIZED (
  SELECT a.id, a.entity_id, a.data_source_id, a.type, r.place
    FROM unnest($1::bigint[]) WITH ORDINALITY r (id, place) JOIN alert a ON a.id = r.id
    LEFT JOIN data_entity e ON e.id = a.entity_id
   WHERE a.entity_id IS NULL OR is_live(e.status)
), sourced AS MATERIALIZED (
  SELECT r.data_source_id, count(e.id) AS total,
         count(e.id) FILTER (WHERE (SELECT c.id FROM entity_class c WHERE c.name = 'DATA_CONSUMER') = ANY (e.class_ids)) AS consumers,
         count(e.id) >= $2::bigint AS at_least
    FROM (SELECT DISTINCT data_source_id FROM shown
           WHERE entity_id IS NULL AND data_source_id IS NOT NULL) r
    LEFT JOIN LATERAL (SELECT e.id, e.class_ids FROM data_entity e
                        WHERE e.data_source_id = r.data_source_id AND is_live(e.status)
                        LIMIT $2::bigint) e ON true
   GROUP BY r.data_source_id
)
SELECT s.id AS alert_id, coalesce(d.total, f.total, 0) AS total,
       coalesce(d.consumers, f.consumers, 0) AS consumers,
       coalesce(d.at_least, f.at_least, false) AS at_least,
       CASE WHEN $4::boolean THEN (
         SELECT json_build_object('id', q.id, 'until', iso(q.until), 'created_by', q.created_by,
                                  'comment', q.comment)
           FROM silence_of(s.entity_id, s.type) q) END AS silence
  FROM shown s
  LEFT JOIN downstream_counts(
         (SELECT coalesce(array_agg(DISTINCT entity_id), '{}') FROM shown WHERE entity_id IS NOT NULL),
         $2::bigint, clock_timestamp() + make_interval(secs => $3::float8 / 1000)) d
         ON d.entity_id = s.entity_id
  LEFT JOIN sourced f ON s.entity_id IS NULL AND f.data_source_id = s.data_source_id
 ORDER BY s.place`;

/** What depends on something that fails. */
interface Affected {
  /** Assets of any kind. */
  total: number;
  /** Dashboards and others that people read. */
  consumers: number;
}

/** So many consumers make an alert critical, and so many assets without any. */
const critical = { consumers: 5, total: 100 };
const high = { consumers: 1, total: 20 };

/** How urgent an alert is: first by whom it reaches (consumers), then by how much. */
export function severityOf({ total, consumers }: Affected): AlertSeverity {
  if (consumers >= critical.consumers || total >= critical.total) return "CRITICAL";
  if (consumers >= high.consumers || total >= high.total) return "HIGH";
  return total > 0 ? "MEDIUM" : "LOW";
}
