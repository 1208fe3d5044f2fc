import { Buffer } from "node:buffer";
import { maxChunkBytes, maxChunkItems } from "#contract/ingestion/split.ts";
import { bodyAround, frameHeaders } from "#contract/ingestion/frame.ts";
import { ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import type { ComposedEntity } from "./compose.ts";
import { LogFailure, type PublisherDeps } from "./deps.ts";

/** Batches handed to the event log at once. */
const recordsPerPublish = 5;

const encoder = new TextEncoder();

/**
 * Puts entities into the log as ordinary batches under the gateway's data source; those of one
 * `receivedAt` all count as received then. Throws `LogFailure` when the log does not take them now,
 * `PermanentError` when it never will.
 */
export async function postEntities(
  { events, config }: PublisherDeps,
  entities: ComposedEntity[],
  receivedAt: number,
): Promise<void> {
  const records = batches(config["data-source"], entities, receivedAt);
  for (let at = 0; at < records.length; at += recordsPerPublish) {
    const some = records.slice(at, at + recordsPerPublish);
    try {
      await events.publish(ingestionBatches, some, { timeoutMs: config["publish-timeout"] });
    } catch (error) {
      // What the log will never take is caused by the entities themselves.
      if (error instanceof PermanentError) throw error;
      throw new LogFailure(error);
    }
  }
}

function batches(source: string, entities: ComposedEntity[], receivedAt: number): NewRecord[] {
  const members = entities.filter((e) => !e.group);
  const groups = entities.filter((e) => e.group);
  const records: NewRecord[] = [];
  let items: string[] = [];
  let size = 0;
  const close = () => {
    if (items.length > 0) records.push(batch(source, items, receivedAt));
    [items, size] = [[], 0];
  };
  for (const { json } of [...members, ...groups]) {
    const bytes = Buffer.byteLength(json) + 1;
    if (items.length >= maxChunkItems || size + bytes > maxChunkBytes) close();
    items.push(json);
    size += bytes;
  }
  close();
  return records;
}

function batch(source: string, items: string[], receivedAt: number): NewRecord {
  const { head, tail } = bodyAround(source);
  return {
    key: source,
    value: encoder.encode(`${head}${items.join(",")}${tail}`),
    headers: frameHeaders({ batch: uuidv7(receivedAt), part: 0, parts: 1, receivedAt }),
  };
}
