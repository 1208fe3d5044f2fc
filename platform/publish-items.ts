import { bodyAround, frameHeaders, lowPriorityHeaders } from "#contract/ingestion/frame.ts";
import { composedBatches, ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { readServerTime } from "#metadata/postgres/server-time.ts";
import type { Context } from "#platform/context.ts";

/** Milliseconds that the log is given for a batch. */
const publishMs = 10_000;

const encoder = new TextEncoder();

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
  const id = uuidv7(receivedAt);
  const { head, tail } = bodyAround(source);
  const record: NewRecord = {
    key: source,
    value: encoder.encode(`${head}${items.join(",")}${tail}`),
    headers: {
      ...frameHeaders({ batch: id, part: 0, parts: 1, receivedAt }),
      ...(isSecondary ? lowPriorityHeaders(receivedAt) : {}),
    },
  };
  const topic = isSecondary ? composedBatches : ingestionBatches;
  await events.publish(topic, [record], { timeoutMs: publishMs });
  return { id, at: receivedAt };
}
