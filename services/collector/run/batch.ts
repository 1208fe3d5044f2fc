import { bodyAround, frameHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { CollectorDeps } from "../deps.ts";

/** Milliseconds that the log is given for a batch. */
const publishMs = 10_000;

const encoder = new TextEncoder();

/** A batch that the log has. */
export interface PublishedBatch {
  id: string;
  /** When it counts as received, milliseconds since the epoch. */
  at: number;
}

/** Puts items, as JSON, into the log as a batch of a collector. */
export async function publishItems(
  { events, clock }: Pick<CollectorDeps, "events" | "clock">,
  source: string,
  items: string[],
): Promise<PublishedBatch> {
  const receivedAt = clock.now();
  const id = uuidv7(receivedAt);
  const { head, tail } = bodyAround(source);
  const record: NewRecord = {
    key: source,
    value: encoder.encode(`${head}${items.join(",")}${tail}`),
    headers: frameHeaders({ batch: id, part: 0, parts: 1, receivedAt }),
  };
  await events.publish(ingestionBatches, [record], { timeoutMs: publishMs });
  return { id, at: receivedAt };
}
