import type { Database } from "#metadata/postgres/database.ts";
import * as sql from "#eventlog/postgres/queries.ts";

const batchSize = 1_000;

/** Deletes records older than their topic's retention, in batches, so that no lock is held for long. */
export async function trimLog(db: Database, now: number): Promise<number> {
  const partitions = await db.query<{ topic: string; partition: number; retention_ms: number }>(
    sql.partitionsWithRetention,
  );
  let deleted = 0;
  for (const { topic, partition, retention_ms } of partitions) {
    for (let count = batchSize; count === batchSize; deleted += count) {
      const before = now - retention_ms;
      const rows = await db.query<{ deleted: number }>(sql.trimBatch, [
        topic,
        partition,
        before,
        batchSize,
      ]);
      count = rows[0]?.deleted ?? 0;
    }
  }
  return deleted;
}
