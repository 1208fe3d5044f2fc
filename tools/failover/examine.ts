import { isUnaccepted, missingCommits, type Timeline } from "#metadata/postgres/history/compare.ts";
import { type CommitMark, decodeMark } from "#metadata/postgres/history/mark.ts";
import type { SeenServer } from "#metadata/postgres/history/server.ts";
import type { Context } from "#platform/context.ts";
import { lookAtServer, newestBatch, noteTimeline } from "#platform/ops/failover/queries.ts";
import { groups } from "#platform/ops/lag.ts";

/** What is known of a failover of PostgreSQL. Times in milliseconds since the epoch. */
export interface Examination {
  server: SeenServer;
  /** The timeline that serves. */
  timeline: Timeline;
  /** What is missing and was not accepted; null when nothing is known to be. */
  missing: { from: number | null; until: number; commits: number } | null;
}

export class FailoverError extends Error {}

type Deps = Pick<Context, "db" | "events">;

/** Compares PostgreSQL with what its processes found missing, and with what consumers noted in the event log. */
export async function examine({ db, events }: Deps): Promise<Examination> {
  const marks = await marksIn(events);
  const xids = marks.map(({ xid }) => xid);
  const first = await lookAtServer(db, xids);
  if (first === "recovering") {
    throw new FailoverError("PostgreSQL is a replica in recovery: promote it, or name the primary");
  }
  if (!serving(first)) await noteTimeline(db, first);
  const server = serving(first) ? first : await lookAtServer(db, xids);
  const timeline = server === "recovering" ? undefined : serving(server);
  if (server === "recovering" || !timeline) {
    throw new FailoverError("PostgreSQL went into recovery");
  }
  const found = missingCommits(marks, server);
  const noticed = isUnaccepted(timeline) ? timeline : null;
  if (found.length === 0 && !noticed) return { server, timeline, missing: null };
  const until = Math.max(...found.map(({ at }) => at), noticed?.missedUntil ?? 0);
  const commits = Math.max(found.length, noticed?.missedCommits ?? 0);
  const from = timeline.lastCommitAt ?? await newestBatch(db, timeline);
  return { server, timeline, missing: { from, until, commits } };
}

const serving = ({ timelines, timeline }: SeenServer) =>
  timelines.find((one) => one.timeline === timeline);

async function marksIn(events: Deps["events"]): Promise<CommitMark[]> {
  if (!events.notes) return [];
  const found = await Promise.all(groups.map(({ group, topic }) => events.notes!(group, topic)));
  return found.flat().map(decodeMark).filter((mark) => mark !== undefined);
}
