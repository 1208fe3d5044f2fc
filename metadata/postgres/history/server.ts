import type { ServerState, Timeline, XidStatus } from "#metadata/postgres/history/compare.ts";
import * as sql from "#metadata/postgres/history/queries.ts";

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
  const { rows } = await client.query(sql.lookAtServer, [[...new Set(xids)]]);
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
