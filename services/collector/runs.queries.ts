import type { RunCounts, RunKind, RunState } from "#contract/connections/connection.ts";
import type { ConnectorName } from "#contract/connections/connectors.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { StoredSecret } from "#platform/connections/secrets.ts";

/** $1 now: queues a run of every connection that is due, and sets when the next one is. */
export const enqueueDue = statement("collector-enqueue")`
  WITH due AS (
    UPDATE connection SET next_run_at = $1::timestamptz + schedule_minutes * interval '1 minute'
     WHERE NOT paused AND next_run_at <= $1 AND schedule_minutes IS NOT NULL RETURNING id)
  INSERT INTO connection_run (connection_id, kind) SELECT id, 'RUN' FROM due ORDER BY id
  ON CONFLICT DO NOTHING`;

/** A run that waits, or that a process began and may have left. */
export interface OpenRun {
  id: number;
  connection_id: number;
  state: RunState;
}

/** $1 connections that this process runs already, $2 limit: the oldest runs that are not at an end; tests come first. */
export const openRuns = statement<OpenRun>("collector-open-runs")`
  SELECT id, connection_id, state FROM connection_run
   WHERE state IN ('QUEUED', 'RUNNING') AND NOT connection_id = ANY ($1::bigint[])
   ORDER BY kind = 'RUN', id LIMIT $2`;

/** A run with its connection. */
export interface ClaimedRun {
  id: number;
  connection_id: number;
  kind: RunKind;
  attempts: number;
  cancel: boolean;
  name: string;
  connector: ConnectorName;
  settings: unknown;
  secrets: Record<string, StoredSecret>;
  source_catrn: string;
}

/** $1 run, $2 now: begins it, for the holder of the lease of its connection. */
export const claim = statement<ClaimedRun>("collector-claim")`
  UPDATE connection_run r
     SET state = 'RUNNING', attempts = attempts + 1, started_at = coalesce(r.started_at, $2)
    FROM connection c
   WHERE r.id = $1 AND r.state IN ('QUEUED', 'RUNNING') AND c.id = r.connection_id
  RETURNING r.id, r.connection_id, r.kind, r.attempts, r.cancel, c.name, c.connector, c.settings,
            c.secrets, c.source_catrn`;

/** $1 run, $2 counts: progress; returns whether somebody has cancelled it. No row when it has gone. */
export const progress = statement<{ cancel: boolean }>("collector-progress")`
  UPDATE connection_run SET counts = $2::jsonb WHERE id = $1 AND state = 'RUNNING' RETURNING cancel`;

/** $1 run: it waits again, for this process ends. */
export const requeue = statement("collector-requeue")`
  UPDATE connection_run r SET state = 'QUEUED', attempts = attempts - 1
   WHERE id = $1 AND state = 'RUNNING' AND NOT EXISTS (
     SELECT FROM connection_run q WHERE q.connection_id = r.connection_id AND q.kind = r.kind
        AND q.state = 'QUEUED')`;

/** $1 run, $2 state, $3 counts, $4 result, $5 now: ends it. */
export const finish = statement("collector-finish")`
  UPDATE connection_run SET state = $2, counts = $3::jsonb, result = $4::jsonb, finished_at = $5
   WHERE id = $1 AND state = 'RUNNING'`;

export const noCounts: RunCounts = {
  read: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
};
