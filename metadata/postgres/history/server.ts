import type { ServerState, Timeline, XidStatus } from "#metadata/postgres/history/compare.ts";

/** A connection, as far as the comparison needs it. */
export interface ServerSession {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A primary server, and where its timeline began if it was promoted since it started. */
export interface SeenServer extends ServerState {
  began: string;
  /** Commit time of the last transaction that it received from another server; null if none is known. */
  lastCommitAt: number | null;
}

interface ServerRow {
  system: string;
  recovering: boolean;
  lsn: string | null;
  timeline: string | null;
  replayed: string | null;
  replayed_at: string | null;
  statuses: Record<string, XidStatus> | null;
  timelines: Timeline[] | null;
}

/** Reads in one statement what is compared; `recovering` for a replica that has not been promoted. */
export async function readServer(
  client: ServerSession,
  xids: readonly string[],
): Promise<SeenServer | "recovering"> {
  const { rows } = await client.query(lookAtServer, [[...new Set(xids)]]);
  const row = rows[0] as ServerRow;
  if (row.recovering || row.lsn === null || row.timeline === null) return "recovering";
  return {
    system: row.system,
    timeline: parseInt(row.timeline, 16),
    lsn: row.lsn,
    began: row.replayed ?? row.lsn,
    lastCommitAt: row.replayed_at === null ? null : Math.round(Number(row.replayed_at)),
    timelines: row.timelines ?? [],
    statuses: new Map(Object.entries(row.statuses ?? {})),
  };
}

/** Texts of transaction ids $1. One row, on a replica in recovery with nulls. */
export const lookAtServer = `
  SELECT c.system_identifier::text AS system, r.recovering,
         CASE WHEN NOT r.recovering THEN pg_current_wal_insert_lsn()::text END AS lsn,
         CASE WHEN NOT r.recovering THEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline,
         pg_last_wal_replay_lsn()::text AS replayed,
         extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000 AS replayed_at,
         (SELECT json_object_agg(x.id, CASE
                   WHEN r.recovering THEN NULL
                   WHEN x.id::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'future'
                   ELSE pg_xact_status(x.id::xid8) END)
            FROM unnest($1::text[]) x (id)) AS statuses,
         (SELECT json_agg(json_build_object(
                   'id', h.id, 'timeline', h.timeline, 'beganAt', h.began_at::text,
                   'lastCommitAt', extract(epoch FROM h.last_commit_at) * 1000,
                   'age', extract(epoch FROM clock_timestamp() - h.first_seen_at) * 1000,
                   'missedAt', extract(epoch FROM h.missed_at) * 1000,
                   'missedUntil', extract(epoch FROM h.missed_until) * 1000,
                   'missedCommits', h.missed_commits,
                   'acceptedAt', extract(epoch FROM h.accepted_at) * 1000) ORDER BY h.timeline)
            FROM server_history h WHERE h.system_identifier = c.system_identifier::text) AS timelines
    FROM pg_control_system() c, (SELECT pg_is_in_recovery() AS recovering) r`;

/** $1 system, $2 timeline, $3 position where the former timeline ended, $4 milliseconds of its last commit or null. */
export const noteTimeline = `
  INSERT INTO server_history (system_identifier, timeline, began_at, last_commit_at)
  VALUES ($1, $2, $3, to_timestamp($4::float8 / 1000)) ON CONFLICT DO NOTHING`;

/** $1 id of the timeline, $2 who missed commits, $3 milliseconds of the newest, $4 how many. The first to notice counts. */
export const noteMissing = `
  UPDATE server_history
     SET missed_at = clock_timestamp(), missed_by = $2, missed_until = to_timestamp($3::float8 / 1000), missed_commits = $4
   WHERE id = $1 AND (missed_at IS NULL OR accepted_at >= missed_at)`;

/** $1 system, $2 timeline: an operator accepts what is missing; earlier marks no longer count. */
export const acceptTimeline = `
  INSERT INTO server_history (system_identifier, timeline, began_at, accepted_at)
  VALUES ($1, $2, pg_current_wal_insert_lsn(), clock_timestamp())
  ON CONFLICT (system_identifier, timeline) DO UPDATE SET accepted_at = excluded.accepted_at`;

/** Commits, and returns the id of the transaction, in one message; null when nothing was written, or nobody waits for the disk. */
export const commitNoted = `
  SELECT CASE WHEN current_setting('synchronous_commit') <> 'off' THEN pg_current_xact_id_if_assigned()::text END AS xid,
         pg_current_wal_insert_lsn()::text AS lsn,
         substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) AS timeline;
  COMMIT`;
