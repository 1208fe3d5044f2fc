import { Buffer } from "node:buffer";
import {
  batchHeaders,
  bodyAround,
  frameHeaders,
  lowPriorityHeaders,
} from "#contract/ingestion/frame.ts";
import { composedBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { PermanentError } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { LogFailure, type SourceDeps } from "./deps.ts";
import type { Item } from "./item.ts";
import { activeTraceparent } from "./traces.ts";

/** What is posted of one row. */
export interface Post {
  /** CATRN of the data source. */
  source: string;
  items: Item[];
  /** When its source last reported it, milliseconds since the epoch. */
  seenAt: number;
}

/** Maximum number of items and bytes of one batch, and most batches handed to the log at once: small, since others come between them. */
export const maxBatchItems = 50;
export const maxBatchBytes = 1_000_000;
const recordsPerPublish = 5;

/** Milliseconds that the log is given for a batch. */
const publishMs = 5_000;

const encoder = new TextEncoder();

/**
 * Puts items into the log as ordinary batches that yield to collectors, all as received at `receivedAt`.
 * Throws `LogFailure` when the log does not take them now, `PermanentError` when it never will.
 */
export async function publish(
  { events, backpressure }: Pick<SourceDeps, "events" | "backpressure">,
  posts: Post[],
  receivedAt: number,
): Promise<void> {
  const records = batchesOf(posts, receivedAt);
  for (let at = 0; at < records.length; at += recordsPerPublish) {
    try {
      const some = records.slice(at, at + recordsPerPublish);
      await events.publish(composedBatches, some, { timeoutMs: publishMs });
      backpressure.posted(some.map(({ headers }) => headers[batchHeaders.batch]!));
    } catch (error) {
      if (error instanceof PermanentError) throw error;
      throw new LogFailure(error);
    }
  }
}

/** Batches of one data source and of about one time each, since a batch has one time for all its items. */
export function batchesOf(posts: Post[], receivedAt: number): NewRecord[] {
  const together = new Map<string, Post[]>();
  for (const post of posts) {
    const key = `${periodOf(post.seenAt, receivedAt)} ${post.source}`;
    const group = together.get(key);
    if (group) group.push(post);
    else together.set(key, [post]);
  }
  return [...together.values()].flatMap((group) => recordsOf(group, receivedAt));
}

const minute = 60_000;
const hour = 60 * minute;

/** Lately, a minute decides between being seen before and after a deletion; later an hour does. */
function periodOf(seenAt: number, now: number): string {
  const recent = now - seenAt < hour;
  return recent ? `m${Math.floor(seenAt / minute)}` : `h${Math.floor(seenAt / hour)}`;
}

function recordsOf(posts: Post[], receivedAt: number): NewRecord[] {
  const source = posts[0]!.source;
  const seenAt = posts.reduce((min, post) => Math.min(min, post.seenAt), Infinity);
  const records: NewRecord[] = [];
  let items: string[] = [];
  let bytes = 0;
  const close = () => {
    if (items.length > 0) records.push(recordOf(source, items, { receivedAt, seenAt }));
    [items, bytes] = [[], 0];
  };
  for (const json of uniqueItems(posts)) {
    const size = Buffer.byteLength(json) + 1;
    if (items.length >= maxBatchItems || bytes + size > maxBatchBytes) close();
    items.push(json);
    bytes += size;
  }
  close();
  return records;
}

/** The items as JSON, groups last; of those with one CATRN (a test of several runs) the last. */
function uniqueItems(posts: Post[]): string[] {
  const items = new Map<string, Item>();
  for (const post of posts) for (const item of post.items) items.set(item.catrn, item);
  const all = [...items.values()];
  const members = all.filter((item) => !item.data_entity_group);
  const groups = all.filter((item) => item.data_entity_group);
  return [...members, ...groups].map((item) => JSON.stringify(item));
}

function recordOf(
  source: string,
  items: string[],
  { receivedAt, seenAt }: { receivedAt: number; seenAt: number },
): NewRecord {
  const { head, tail } = bodyAround(source);
  const traceparent = activeTraceparent();
  return {
    key: source,
    value: encoder.encode(`${head}${items.join(",")}${tail}`),
    headers: {
      ...frameHeaders({ batch: uuidv7(receivedAt), part: 0, parts: 1, receivedAt }),
      ...lowPriorityHeaders(seenAt),
      ...(traceparent === undefined ? {} : { [batchHeaders.traceparent]: traceparent }),
    },
  };
}
