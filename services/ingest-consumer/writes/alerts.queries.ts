import type { AlertType } from "#contract/alerts.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { AlertKey, DecidingRun, FinishedRun, OpenAlert } from "../alerts/rules.ts";
import type { StoredFieldType } from "../alerts/schema-breaks.ts";

/** $1 tests that were hollow until now: the last finished run of each. */
export const lastRuns = statement<FinishedRun>("ingest-last-runs")`
  SELECT t.id AS "taskId", 'TEST' AS kind, r.catrn, r.name, r.status, r.status_reason AS reason,
          iso(coalesce(r.end_time, r.start_time)) AS "statedAt", r.end_time IS NOT NULL AS ended,
          iso(r.received_at) AS "receivedAt"
     FROM unnest($1::bigint[]) AS t (id) CROSS JOIN LATERAL (
       SELECT * FROM task_run r
        WHERE r.task_id = t.id AND r.kind = 'TEST' AND r.status IN ('SUCCESS', 'FAILED', 'BROKEN')
        ORDER BY least(coalesce(r.end_time, r.start_time), r.received_at) DESC,
                 coalesce(r.end_time, r.start_time) DESC, r.catrn DESC LIMIT 1) r`;

/** $1 fields. */
export const storedFields = statement<StoredFieldType>("ingest-held-fields")`
  SELECT id, name, type, logical_type, is_nullable FROM dataset_field
    WHERE id = ANY($1::bigint[]) ORDER BY id`;

/** Without a run, all but the time is null. */
type DecidingRunRow = { now: string } & { [K in keyof DecidingRun]: DecidingRun[K] | null };

/** $1 tasks: the time, and the run that decided last for each; one row of nulls if there is none. */
export const decidingRuns = statement<DecidingRunRow>("ingest-judged-runs")`
  SELECT iso(statement_timestamp()) AS now, j.task_id AS "taskId", j.kind, j.catrn,
          iso(j.ran_at) AS "ranAt", iso(j.received_at) AS "receivedAt", j.failed
     FROM (VALUES (1)) AS one LEFT JOIN judged_run j ON j.task_id = ANY($1::bigint[])`;

/** $1 transformers, $2 tests, $3 entities whose schema broke: locks their open alerts in id order. */
export const open = statement<OpenAlert>("ingest-open-alerts")`
  SELECT id, entity_id AS "entityId", messenger_id AS "messengerId", alert_type_name(type) AS type
     FROM alert
    WHERE status = 1 AND id = ANY(ARRAY(
      SELECT id FROM alert WHERE status = 1 AND type = 3 AND entity_id = ANY($1::bigint[])
      UNION ALL
      SELECT id FROM alert WHERE status = 1 AND type = 2 AND messenger_id = ANY($2::bigint[])
      UNION ALL
      SELECT id FROM alert WHERE status = 1 AND type = 1 AND entity_id = ANY($3::bigint[])))
    ORDER BY id FOR NO KEY UPDATE`;

/** $1 data source, $2 time of receipt: locks its open alerts that were raised until then. */
export const openOfSource = statement<{ id: number; type: AlertType; now: string }>(
  "ingest-open-source-alerts",
)`
  SELECT id, alert_type_name(type) AS type, iso(statement_timestamp()) AS now FROM alert
    WHERE status = 1 AND data_source_id = $1 AND last_created_at <= $2::timestamptz
    ORDER BY id FOR NO KEY UPDATE`;

/**
 * $1 transformers and $2 tests that failed, $3 entities whose schema broke, $4 time: the keys for
 * which an alert may be raised or extended. Excludes deleted entities, and those that halted alerts
 * of the type.
 */
export const raisable = statement<AlertKey>("ingest-raisable-alerts")`
  WITH aimed AS (
     SELECT 3::smallint AS type, id AS entity_id, NULL::bigint AS messenger_id FROM unnest($1::bigint[]) t (id)
     UNION ALL
     SELECT 2::smallint, dataset_id, test_id FROM test_dataset WHERE test_id = ANY($2::bigint[])
     UNION ALL
     SELECT 1::smallint, id, NULL FROM unnest($3::bigint[]) t (id))
   SELECT a.entity_id AS "entityId", a.messenger_id AS "messengerId", alert_type_name(a.type) AS type
     FROM aimed a JOIN data_entity e ON e.id = a.entity_id
     LEFT JOIN alert_halt_config h ON h.entity_id = a.entity_id
    WHERE is_live(e.status) AND coalesce(CASE a.type
        WHEN 1 THEN h.incompatible_schema_halt_until
        WHEN 2 THEN h.failed_dq_test_halt_until
        ELSE h.failed_job_halt_until END <= $4::timestamptz, true)`;

/**
 * $1 tasks, $2 kinds, $3 runs, $4 their times, $5 times of receipt, $6 whether they failed. Only a
 * new posting of the stored run may move its time back.
 */
export const remember = statement("ingest-remember-judged")`
  INSERT INTO judged_run AS j (task_id, kind, catrn, ran_at, received_at, failed)
   SELECT task_id, kind, catrn, ran_at::timestamptz, received_at::timestamptz, failed
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
       AS t (task_id, kind, catrn, ran_at, received_at, failed)
   ON CONFLICT (task_id, kind) DO UPDATE SET
     ran_at = CASE WHEN j.catrn = excluded.catrn THEN excluded.ran_at
       ELSE greatest(j.ran_at, excluded.ran_at) END,
     catrn = excluded.catrn, received_at = excluded.received_at, failed = excluded.failed`;
