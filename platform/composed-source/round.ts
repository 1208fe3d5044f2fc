import { columnsOf } from "#metadata/postgres/statement.ts";
import type { ZodError } from "zod";
import { fieldPath } from "#contract/ingestion/values.ts";
import { DataEntity } from "#contract/ingestion/schema.ts";
import { IngestedMetricSetList } from "#contract/ingestion/others.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Statement } from "#metadata/postgres/statement.ts";
import { recordMetrics } from "#metadata/catalogue/metric-points.ts";
import { isPoison, type Post, publishRows } from "./batches.ts";
import type { QueueDeps } from "./deps.ts";
import { type Item, type MappedItems, type MetricSet, postedText } from "#platform/items.ts";
import type { ClaimedRow } from "./queue.queries.ts";

/** A row with what it was mapped to. */
export interface MappedRow {
  row: ClaimedRow;
  /** Under which its data source stands. */
  namespace: string;
  mapped: MappedItems;
}

/** One round over one table: how many rows were taken, and how many of them were posted. */
export interface RoundResult {
  taken: number;
  posted: number;
}

/** How the rows of a table are mapped. */
export interface Rounds<R extends ClaimedRow, T extends string> {
  table: T;
  /** Maximum number of rows of a round. */
  limit: number;
  take: (tx: Transaction, now: number, limit: number) => Promise<R[]>;
  mapRows: (tx: Transaction, rows: R[]) => Promise<MappedRow[]>;
}

/** Milliseconds after which a row that could not be mapped is tried again, if nothing is reported of it before. */
const retryMappingMs = 60 * 60 * 1_000;

/**
 * Takes dirty rows, maps them whole, posts those that differ from what was posted last, and clears them
 * unless they became dirtier meanwhile. What dies in between leaves them dirty; then they are posted
 * again, as received later. A row that cannot be mapped or posted stops no other.
 */
export async function round<R extends ClaimedRow, T extends string>(
  deps: QueueDeps<T>,
  rounds: Rounds<R, T>,
): Promise<RoundResult> {
  const { clock, metrics, source: { statements: sql } } = deps;
  const now = clock.now();
  const { taken, toPost, receivedAt } = await takeRows(deps, rounds, { now, limit: rounds.limit });
  if (toPost.length > 0) {
    const finished = (rows: MappedRow[]) =>
      finish(deps, sql.finish.get(rounds.table)!, rows, receivedAt);
    await post(deps, toPost, { now, receivedAt, finished });
    metrics.posted(rounds.table, toPost.length);
  }
  return { taken, posted: toPost.length };
}

/** Rows that were taken, and which of them are to be posted. */
interface TakenRows {
  taken: number;
  toPost: MappedRow[];
  receivedAt: number;
}

/**
 * Takes rows and maps them, in one transaction. When that fails because of a row, fewer are taken, until the row is
 * alone: rows are taken in one order, so those before it are published by rounds in between.
 */
async function takeRows<R extends ClaimedRow, T extends string>(
  deps: QueueDeps<T>,
  rounds: Rounds<R, T>,
  { now, limit }: { now: number; limit: number },
): Promise<TakenRows> {
  let rows: R[] = [];
  try {
    return await retryingTransaction(deps.db, async (tx) => {
      rows = await rounds.take(tx, now, limit);
      return await mapTaken(tx, deps, rounds, { now, rows });
    });
  } catch (error) {
    const [row, ...others] = rows;
    if (row === undefined || !isPoison(error)) throw error;
    if (others.length > 0) {
      return await takeRows(deps, rounds, { now, limit: Math.ceil(rows.length / 2) });
    }
    await refuseToMap(deps, rounds, { now, row, error });
    return { taken: 1, toPost: [], receivedAt: now };
  }
}

async function mapTaken<R extends ClaimedRow, T extends string>(
  tx: Transaction,
  { source: { statements: sql, refreshMs } }: QueueDeps<T>,
  { table, mapRows }: Rounds<R, T>,
  { now, rows }: { now: number; rows: R[] },
): Promise<TakenRows> {
  if (rows.length === 0) return { taken: 0, toPost: [], receivedAt: now };
  const mapped = await mapRows(tx, rows);
  const toPost = mapped.filter((one) => isToPost(one, now - refreshMs));
  const settled = mapped.filter((one) => !toPost.includes(one));
  await settle(
    tx,
    sql.settle.get(table)!,
    settled.map(({ row, mapped: { dueAt } }) => ({ row, dueAt })),
  );
  const receivedAt = rows.reduce((max, row) => Math.max(max, row.received_at + 1), now);
  const keys = toPost.map(({ row }) => row.key);
  if (keys.length > 0) await tx.query(sql.claim.get(table)!, [keys, receivedAt]);
  return { taken: rows.length, toPost, receivedAt };
}

/** Leaves a row that cannot be mapped for later, unless something was reported of it since it was tried. */
async function refuseToMap<R extends ClaimedRow, T extends string>(
  { db, log, intakeWarnings, source: { statements: sql } }: QueueDeps<T>,
  { table, take }: Rounds<R, T>,
  { now, row, error }: { now: number; row: R; error: unknown },
): Promise<void> {
  const isRefused = await retryingTransaction(db, async (tx) => {
    const [first] = await take(tx, now, 1);
    if (first?.key !== row.key || first.dirty !== row.dirty) return false;
    await settle(tx, sql.settle.get(table)!, [{ row, dueAt: now + retryMappingMs }]);
    return true;
  });
  if (!isRefused) return;
  log.error("reported item cannot be mapped and is quarantined", { key: row.key, error });
  const reason = "it cannot be mapped; it is tried again after an hour";
  intakeWarnings.note({ namespace: "", name: row.key, kind: "not_mapped", reason });
}

/** Puts what rows were mapped to into the log, but for what it will never take; figures go next to it. */
async function post(
  deps: QueueDeps,
  toPost: MappedRow[],
  { now, receivedAt, finished }: {
    now: number;
    receivedAt: number;
    finished: (rows: MappedRow[]) => Promise<void>;
  },
): Promise<void> {
  await storeMetrics(deps, toPost.flatMap(({ mapped }) => mapped.metrics));
  const posts = await postsOf(deps, toPost.filter(({ mapped }) => mapped.items.length > 0), now);
  await publishRows(deps, toPost, {
    prepare: (rows) =>
      Promise.resolve({ posts: rows.flatMap((one) => posts.get(one) ?? []), receivedAt }),
    finish: finished,
    async refuse(one, error) {
      warnOfRefusal(deps, one, error);
      // What the log will never take is not tried again before it changes.
      await finished([one]);
    },
  });
}

async function postsOf(
  deps: QueueDeps,
  rows: MappedRow[],
  now: number,
): Promise<Map<MappedRow, Post>> {
  const sources = await deps.source.ensureSources(rows.map(({ namespace }) => namespace));
  const posts = new Map<MappedRow, Post>();
  const yielder = new EventLoopYielder();
  for (const one of rows) {
    await yielder.yieldWhenDue();
    posts.set(one, {
      source: sources.get(one.namespace)!,
      items: one.mapped.items.filter((item) => isSound(deps, item)).map(postedText),
      seenAt: one.row.last_seen ?? now,
    });
  }
  return posts;
}

/** Whether ingestion will take an item; what it would refuse is not worth posting, and must not hold up others. */
function isSound({ intakeWarnings, log }: QueueDeps, item: Item): boolean {
  const { error } = DataEntity.safeParse(item);
  if (!error) return true;
  const reason = `cannot be posted: ${firstIssue(error)}`;
  log.warn("ingestion rejects a composed item as invalid", { catrn: item.catrn, reason });
  intakeWarnings.note({ namespace: "", name: item.name, kind: "not_posted", reason });
  return false;
}

function firstIssue({ issues: [issue] }: ZodError): string {
  return `${fieldPath(issue!.path)} ${issue!.message}`;
}

function warnOfRefusal(
  { intakeWarnings, log }: QueueDeps,
  { row, namespace }: MappedRow,
  error: unknown,
): void {
  log.warn("composed item cannot be published", { key: row.key, error });
  const reason = "the event log does not take it";
  intakeWarnings.note({ namespace, name: row.key, kind: "not_posted", reason });
}

/** Whether the log lacks what a row was mapped to, or should hear again that it is still there. */
function isToPost({ row, mapped }: MappedRow, before: number): boolean {
  if (mapped.hash === null) return false;
  if (mapped.hash !== row.posted_hash || row.posted_at === null) return true;
  return row.posted_at <= before && (row.last_seen ?? 0) > row.posted_at;
}

async function settle(
  tx: Transaction,
  statement: Statement,
  rows: { row: ClaimedRow; dueAt: number | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(statement, [
    ...columnsOf(rows.map(({ row }) => row), "key", "dirty"),
    rows.map(({ dueAt }) => dueAt),
  ]);
}

async function finish(
  { db, clock }: QueueDeps,
  statement: Statement,
  rows: MappedRow[],
  receivedAt: number,
): Promise<void> {
  await db.query(statement, [
    ...columnsOf(rows.map(({ row }) => row), "key", "dirty"),
    ...columnsOf(rows.map(({ mapped }) => mapped), "dueAt", "hash"),
    receivedAt,
    clock.now(),
  ]);
}

/**
 * Keeps figures as `POST /ingestion/metrics` does: of each series the newest point, so that posting them again
 * changes nothing. What a collector could not post is left out.
 */
async function storeMetrics(
  { db, clock, log, intakeWarnings }: QueueDeps,
  metrics: MetricSet[],
): Promise<void> {
  const items = metrics.flatMap((set) => {
    const parsed = IngestedMetricSetList.safeParse({ items: [set] });
    if (parsed.success) return parsed.data.items;
    const reason = `metrics cannot be stored: ${firstIssue(parsed.error)}`;
    log.warn("ingestion rejects composed metrics as invalid", { catrn: set.catrn, reason });
    intakeWarnings.note({ namespace: "", name: set.catrn, kind: "not_posted", reason });
    return [];
  });
  if (items.length > 0) await recordMetrics(db, { items }, clock.now());
}
