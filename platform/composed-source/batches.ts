import { Buffer } from "node:buffer";
import {
  batchHeaders,
  bodyAround,
  frameHeaders,
  lowPriorityHeaders,
} from "#contract/ingestion/frame.ts";
import { maxChunkBytes, maxChunkItems } from "#contract/ingestion/split.ts";
import { composedBatches, ingestionBatches } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { bisectBatch } from "#kit/bisect.ts";
import { PermanentError } from "#kit/errors.ts";
import { uuidv7 } from "#kit/ids.ts";
import { classify, isMetadataDown, type Queryable, sqlState } from "#metadata/postgres/database.ts";
import { LeaseLostError } from "#metadata/postgres/leases.ts";
import { readServerTime } from "#metadata/postgres/server-time.ts";
import type { Context } from "#platform/context.ts";
import type { PostedText } from "#platform/items.ts";
import { activeTraceparent } from "#platform/telemetry/trace-context.ts";
import { type BatchPolicy, LogFailure, type SourceDeps } from "./deps.ts";

/** What is posted of one row. */
export interface Post {
  /** CATRN of the data source. */
  source: string;
  items: PostedText[];
  /** When its source last reported it, milliseconds since the epoch. */
  seenAt: number;
}

/** Batches that yield to collectors: small, since others come between them. */
export const yieldingBatches: BatchPolicy = {
  topic: composedBatches,
  maxItems: 50,
  maxBytes: 1_000_000,
  timeoutMs: 5_000,
  headers: lowPriorityHeaders,
};

/** Batches with the precedence of a collector. */
export const collectorBatches = (timeoutMs: number): BatchPolicy => ({
  topic: ingestionBatches,
  maxItems: maxChunkItems,
  maxBytes: maxChunkBytes,
  timeoutMs,
  headers: () => ({}),
});

/** What rows were mapped to, as far as the log lacks it. */
export interface PreparedPosts {
  posts: Post[];
  /** When they count as received, milliseconds since the epoch: later than what was posted of these rows before. */
  receivedAt: number;
}

/** How a source publishes some of its rows, and remembers that. */
interface PublishSteps<R, P extends PreparedPosts> {
  /** What is to be posted of rows. Once it has ended, nobody knows what of it the log has, until `finish` has. */
  prepare: (rows: R[]) => Promise<P>;
  /** The log has what was prepared. */
  finish: (rows: R[], prepared: P) => Promise<void>;
  /** Quarantines a row that can never be published as it is. */
  refuse: (row: R, error: unknown) => Promise<void>;
}

/** Publishes rows together. One that cannot be published is refused, and stops no other. */
export async function publishRows<R, P extends PreparedPosts>(
  deps: Pick<SourceDeps, "events" | "backpressure" | "source">,
  rows: R[],
  { prepare, finish, refuse }: PublishSteps<R, P>,
): Promise<void> {
  await bisectBatch(rows, {
    async work(some) {
      const prepared = await prepare(some);
      await publish(deps, prepared.posts, prepared.receivedAt);
      await finish(some, prepared);
    },
    isPoison,
    refuse,
  });
}

/**
 * Whether a failure is caused by what is published and would recur: not by an unreachable engine, nor
 * in a lease that is lost, nor in a statement that no data could make right.
 */
export function isPoison(error: unknown): boolean {
  if (error instanceof PermanentError) return true;
  if (error instanceof LeaseLostError || error instanceof LogFailure || isMetadataDown(error)) {
    return false;
  }
  return sqlState(error) === undefined || classify(error) === "permanent";
}

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

/** Batches handed to the event log at once. */
const recordsPerPublish = 5;

/**
 * Puts items into the log as ordinary batches, all as received at `receivedAt`.
 * Throws `LogFailure` when the log does not take them now, `PermanentError` when it never will.
 */
async function publish(
  { events, backpressure, source }: Pick<SourceDeps, "events" | "backpressure" | "source">,
  posts: Post[],
  receivedAt: number,
): Promise<void> {
  const { topic, timeoutMs } = source.batches;
  const records = batchesOf(source.batches, posts, receivedAt);
  for (let at = 0; at < records.length; at += recordsPerPublish) {
    try {
      const some = records.slice(at, at + recordsPerPublish);
      await events.publish(topic, some, { timeoutMs });
      backpressure.posted(some.map(({ headers }) => headers[batchHeaders.batch]!));
    } catch (error) {
      if (error instanceof PermanentError) throw error;
      throw new LogFailure(error);
    }
  }
}

/** Batches of one data source and of about one time each, since a batch has one time for all its items. */
function batchesOf(policy: BatchPolicy, posts: Post[], receivedAt: number): NewRecord[] {
  const together = Map.groupBy(
    posts,
    ({ seenAt, source }) => `${periodOf(seenAt, receivedAt)} ${source}`,
  );
  return [...together.values()].flatMap((group) => recordsOf(policy, group, receivedAt));
}

const minute = 60_000;
const hour = 60 * minute;

/** Lately, a minute decides between being seen before and after a deletion; later an hour does. */
function periodOf(seenAt: number, now: number): string {
  const recent = now - seenAt < hour;
  return recent ? `m${Math.floor(seenAt / minute)}` : `h${Math.floor(seenAt / hour)}`;
}

function recordsOf(policy: BatchPolicy, posts: Post[], receivedAt: number): NewRecord[] {
  const source = posts[0]!.source;
  const seenAt = posts.reduce((min, post) => Math.min(min, post.seenAt), Infinity);
  const headers = policy.headers(seenAt);
  const records: NewRecord[] = [];
  let items: string[] = [];
  let bytes = 0;
  const close = () => {
    if (items.length > 0) records.push(batchRecord(source, items, { receivedAt, headers }));
    [items, bytes] = [[], 0];
  };
  for (const { json } of uniqueItems(posts)) {
    const size = Buffer.byteLength(json) + 1;
    if (items.length >= policy.maxItems || bytes + size > policy.maxBytes) close();
    items.push(json);
    bytes += size;
  }
  close();
  return records;
}

/** The items, groups last; of those with one CATRN (a test of several runs) the last. */
function uniqueItems(posts: Post[]): PostedText[] {
  const items = new Map<string, PostedText>();
  for (const post of posts) for (const item of post.items) items.set(item.catrn, item);
  const all = [...items.values()];
  return [...all.filter((item) => !item.isGroup), ...all.filter((item) => item.isGroup)];
}

const encoder = new TextEncoder();

/** Items, as JSON, as the record of a batch. */
function batchRecord(
  source: string,
  items: string[],
  { receivedAt, headers }: { receivedAt: number; headers: Record<string, string> },
): NewRecord {
  const { head, tail } = bodyAround(source);
  const traceparent = activeTraceparent();
  return {
    key: source,
    value: encoder.encode(`${head}${items.join(",")}${tail}`),
    headers: {
      ...frameHeaders({ batch: uuidv7(receivedAt), part: 0, parts: 1, receivedAt }),
      ...headers,
      ...(traceparent === undefined ? {} : { [batchHeaders.traceparent]: traceparent }),
    },
  };
}
