import type { LostRecords } from "#eventlog/port.ts";
import {
  type CommitMark,
  decodeMark,
  isUnaccepted,
  missingCommits,
  type Timeline,
} from "#metadata/postgres/history/compare.ts";
import type { SeenServer } from "#metadata/postgres/history/server.ts";
import type { Context } from "#platform/context.ts";
import { missingRecords } from "#platform/ops/failover/log.ts";
import {
  lookAtServer,
  newestBatch,
  noteTimeline,
  readMissing,
} from "#platform/ops/failover/queries.ts";
import { groups } from "#platform/ops/lag.ts";

/** What is known of a failover of PostgreSQL. Times in milliseconds since the epoch. */
export interface Examination {
  server: SeenServer;
  /** The timeline that serves. */
  timeline: Timeline;
  /** What is missing and was not accepted; null when nothing is known to be. */
  missing: { from: number | null; until: number; commits: number } | null;
  /** Partitions of the event log that lack records, by what PostgreSQL and the processes know. */
  lost: LostRecords[];
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
  const lost = await lostRecords({ db, events });
  if (found.length === 0 && !noticed) return { server, timeline, missing: null, lost };
  const until = Math.max(...found.map(({ at }) => at), noticed?.missedUntil ?? 0);
  const commits = Math.max(found.length, noticed?.missedCommits ?? 0);
  const from = timeline.lastCommitAt ?? await newestBatch(db, timeline);
  return { server, timeline, missing: { from, until, commits }, lost };
}

/** One for each partition. */
async function lostRecords(deps: Deps): Promise<LostRecords[]> {
  if (!deps.events.refuse) return [];
  const all = [...await readMissing(deps.db), ...await missingRecords(deps)];
  const byPartition = Map.groupBy(all, ({ topic, partition }) => `${topic}/${partition}`);
  return [...byPartition.values()].map(([first, ...more]) => ({
    topic: first!.topic,
    partition: first!.partition,
    known: Math.max(first!.known, ...more.map(({ known }) => known)),
  }));
}

const serving = ({ timelines, timeline }: SeenServer) =>
  timelines.find((one) => one.timeline === timeline);

async function marksIn(events: Deps["events"]): Promise<CommitMark[]> {
  if (!events.notes) return [];
  const found = await Promise.all(groups.map(({ group, topic }) => events.notes!(group, topic)));
  return found.flat().map(decodeMark).filter((mark) => mark !== undefined);
}
