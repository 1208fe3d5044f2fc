import { batchHeaders } from "#contract/ingestion/frame.ts";
import {
  batchRecord,
  collectorBatches,
  yieldingBatches,
} from "#platform/composed-source/batches.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { readServerTime } from "#metadata/postgres/server-time.ts";
import type { Context } from "#platform/context.ts";

/** Milliseconds that the log is given for a batch. */
const publishMs = 10_000;

/** A batch that the log has. */
export interface PublishedBatch {
  id: string;
  /** When it counts as received by PostgreSQL's clock, milliseconds since the epoch. */
  at: number;
}

/**
 * Puts items, as JSON, into the log as a batch of a collector. `isSecondary`: what other sources report takes precedence.
 */
export async function publishItems(
  { events, db }: { db: Queryable; events: Pick<Context["events"], "publish"> },
  source: string,
  items: string[],
  isSecondary = false,
): Promise<PublishedBatch> {
  const receivedAt = await readServerTime(db);
  const { topic, headers } = isSecondary ? yieldingBatches : collectorBatches(publishMs);
  const record = batchRecord(source, items, { receivedAt, headers: headers(receivedAt) });
  await events.publish(topic, [record], { timeoutMs: publishMs });
  return { id: record.headers[batchHeaders.batch]!, at: receivedAt };
}
