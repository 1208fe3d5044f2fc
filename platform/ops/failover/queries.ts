import type { LostRecords } from "#eventlog/port.ts";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import type { Timeline } from "#metadata/postgres/history/compare.ts";
import * as sql from "#metadata/postgres/history/server.ts";
import { readServer, type SeenServer } from "#metadata/postgres/history/server.ts";
import { columnsOf, statement } from "#metadata/postgres/statement.ts";

/** Where the group of a topic stands in a partition. */
export interface LogPosition {
  group: string;
  topic: string;
  partition: number;
  committed: number;
}

// Positions that were read before a failover must not be written after it: they may stand for what was lost.
const note = statement("log-positions")`
  INSERT INTO log_position (consumer_group, topic, partition, committed)
  SELECT p.consumer_group, p.topic, p.partition, p.committed
    FROM unnest($2::text[], $3::text[], $4::int[], $5::bigint[]) p (consumer_group, topic, partition, committed)
   WHERE $1 = (SELECT id FROM server_history ORDER BY first_seen_at DESC LIMIT 1)
  ON CONFLICT (consumer_group, topic, partition) DO UPDATE
     SET committed = excluded.committed, noted_at = clock_timestamp()`;

/** Notes positions that were read while the timeline `history` served; does nothing when another one serves now. */
export async function notePositions(
  db: Queryable,
  history: string,
  positions: LogPosition[],
): Promise<void> {
  const columns = columnsOf(positions, "group", "topic", "partition", "committed");
  await db.query(note, [history, ...columns]);
}

/** Where the groups stood when the last of what this PostgreSQL holds was committed. */
export async function readPositions(db: Queryable) {
  return await db.query<LogPosition & { noted_at: Date }>(
    `SELECT consumer_group AS "group", topic, partition, committed, noted_at FROM log_position
      ORDER BY consumer_group, topic, partition`,
  );
}

/** The server, and its timelines, with the statuses of these transactions. */
export async function lookAtServer(
  db: Database,
  xids: readonly string[] = [],
): Promise<SeenServer | "recovering"> {
  const query = async (text: string, values: unknown[]) => ({ rows: await db.query(text, values) });
  return await readServer({ query }, xids);
}

/** From now on nothing that was acknowledged before is missed on this timeline. */
export async function acceptTimeline(
  db: Queryable,
  { system, timeline }: { system: string; timeline: number },
): Promise<void> {
  await db.query(sql.acceptTimeline, [system, timeline]);
}

/** Has every process refuse this timeline until an operator accepts it. */
export async function refuseTimeline(
  db: Queryable,
  { id }: Timeline,
  missing: { by: string; until: number; commits: number },
): Promise<void> {
  await db.query(sql.noteMissing, [id, missing.by, missing.until, missing.commits]);
}

/** Notes the timeline of a server that no process has seen. */
export async function noteTimeline(db: Queryable, server: SeenServer): Promise<void> {
  const { system, timeline, began, lastCommitAt } = server;
  await db.query(sql.noteTimeline, [system, timeline, began, lastCommitAt]);
}

/** When the newest batch was applied before a timeline began; milliseconds since the epoch, null if there is none. */
export async function newestBatch(db: Queryable, { id }: Timeline): Promise<number | null> {
  const [row] = await db.query<{ at: Date | null }>(
    `SELECT max(applied_at) AS at FROM applied_batch
      WHERE applied_at < (SELECT first_seen_at FROM server_history WHERE id = $1)`,
    [id],
  );
  return row?.at?.getTime() ?? null;
}

/** The rows of partitions whose records are missing: no group has this name. */
const missingGroup = "missing records";

const noteMissing = statement("log-positions-missing")`
  INSERT INTO log_position (consumer_group, topic, partition, committed, missing_since)
  SELECT ${"'" + missingGroup + "'"}, m.topic, m.partition, m.known, clock_timestamp()
    FROM unnest($1::text[], $2::int[], $3::bigint[]) m (topic, partition, known)
  ON CONFLICT (consumer_group, topic, partition) DO NOTHING`;

/** Has every process refuse the event log, which lacks records of these partitions. */
export async function refuseLog(db: Queryable, lost: LostRecords[]): Promise<void> {
  await db.query(noteMissing, columnsOf(lost, "topic", "partition", "known"));
}

/** The partitions whose records are missing, as far as it is noted. */
export async function readMissing(db: Queryable) {
  return await db.query<LostRecords & { since: Date }>(
    `SELECT topic, partition, committed AS known, missing_since AS since FROM log_position
      WHERE missing_since IS NOT NULL ORDER BY topic, partition`,
  );
}

/**
 * Forgets the positions in partitions whose records are missing, and renames batches that are named by an offset of them:
 * other records get these offsets.
 */
export async function acceptLog(
  db: Queryable,
  partitions: Pick<LostRecords, "topic" | "partition">[],
): Promise<void> {
  for (const { topic, partition } of partitions) {
    await db.query(
      `UPDATE applied_batch SET batch = $1 || batch WHERE starts_with(batch, $2) AND batch ~ $3`,
      [
        `lost-${crypto.randomUUID().slice(0, 8)}/`,
        `${topic}/${partition}/`,
        "^[a-z.-]{1,60}/[0-9]{1,15}/[0-9]{1,15}$",
      ],
    );
    const forget = "DELETE FROM log_position WHERE topic = $1 AND partition = $2";
    await db.query(forget, [topic, partition]);
  }
}
