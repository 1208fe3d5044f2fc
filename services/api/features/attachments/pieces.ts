import { system } from "#contract/actor.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { lateWrites, pieceBytes, uploadLife } from "#services/api/features/attachments/limits.ts";
import { headBytes } from "#services/api/features/attachments/media-type.ts";
import * as queries from "#services/api/features/attachments/uploads.queries.ts";
import type { Context } from "#platform/context.ts";

type Deps = Pick<Context, "db" | "storage" | "clock" | "log">;

/** What was written of one chunk so far. */
export interface WrittenChunk {
  /** Objects; the last one may be missing. */
  keys: string[];
  size: number;
  /** The first bytes. */
  head: Uint8Array;
}

/** Nothing was written yet. */
export const nothing = (): WrittenChunk => ({ keys: [], size: 0, head: new Uint8Array() });

/**
 * Writes bytes as objects, no more than one in memory at a time, each noted in the database before it is written. Keeps
 * count in `written`, also of what was written before it failed. Throws 503 while the storage is away.
 */
export async function writePieces(
  { db, storage }: Pick<Deps, "db" | "storage">,
  bytes: AsyncIterable<Uint8Array>,
  written: WrittenChunk,
): Promise<void> {
  for await (const piece of piecesOf(bytes)) {
    const key = crypto.randomUUID();
    await queries.announcePiece(db, key, piece.length, uploadLife);
    if (written.keys.length === 0) written.head = piece.slice(0, headBytes);
    written.keys.push(key);
    written.size += piece.length;
    await storage.put(key, piece);
  }
}

/** The bytes in pieces of one size, but for the last; of no bytes one empty piece. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(pieceBytes);
  let [filled, given] = [0, 0];
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + pieceBytes - filled);
      piece.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < pieceBytes) continue;
      yield piece;
      given++;
      piece = new Uint8Array(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0 || given === 0) yield piece.subarray(0, filled);
}

/**
 * Has pieces that became part of no file removed by housekeeping, once no write of them can still be under way. Never
 * rejects.
 */
export async function giveUp({ db, clock, log }: Deps, keys: string[]): Promise<void> {
  if (keys.length === 0) return;
  const until = new Date(clock.now() + lateWrites);
  await sparePieces(db, keys, until).catch((error) => {
    log.warn("pieces of a chunk are removed later", { pieces: keys.length, error });
  });
}

/** Removes pieces of no file at once; what fails is left to housekeeping. Never rejects. */
export async function removeNow({ db, storage, log }: Deps, keys: string[]): Promise<void> {
  try {
    for (const key of keys) await storage.delete(key);
    await forgetPieces(db, keys);
  } catch (error) {
    log.debug("pieces are removed later", { pieces: keys.length, error });
  }
}

const overdue = statement<{ id: number }>("attachment-overdue")`
  SELECT id FROM attachment_file WHERE completed_at IS NULL AND started_at < $1
   ORDER BY started_at, id LIMIT $2 FOR UPDATE SKIP LOCKED`;

const detachAll = statement<{ key: string }>("attachment-uploads-detach")`
  UPDATE attachment_piece SET file_id = NULL, spared_until = now()
   WHERE file_id = ANY($1::bigint[]) RETURNING key::text`;

const drop = statement("attachment-uploads-delete")`
  DELETE FROM attachment_file WHERE id = ANY($1::bigint[])`;

/** Aborts uploads that began before `cutoff`; their pieces are removed later. Returns how many. */
export async function dropOverdue(tx: Transaction, cutoff: Date, max: number): Promise<number> {
  const ids = (await tx.query(overdue, [cutoff.toISOString(), max])).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await dropUploads(tx, ids);
  return ids.length;
}

/** Gives up uploads that are locked; returns their pieces, which are left to be removed. */
export async function dropUploads(tx: Transaction, ids: number[]): Promise<string[]> {
  const pieces = await tx.query(detachAll, [ids]);
  await tx.query(drop, [ids]);
  return pieces.map(({ key }) => key);
}

const due = statement<{ key: string }>("attachment-pieces-due")`
  SELECT key::text FROM attachment_piece WHERE file_id IS NULL AND spared_until < $1
   ORDER BY spared_until, key LIMIT $2`;

/** Pieces of no file that may be removed at `now`. */
export async function piecesDue(db: Queryable, now: Date, max: number): Promise<string[]> {
  return (await db.query(due, [now.toISOString(), max])).map(({ key }) => key);
}

const forget = statement("attachment-pieces-forget")`
  DELETE FROM attachment_piece WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Forgets pieces whose objects are gone. */
// change-ok -- the account of the storage: what is of no file is no part of the catalogue
export async function forgetPieces(db: Queryable, keys: string[]): Promise<void> {
  await db.query(forget, [keys]);
}

const spare = statement("attachment-pieces-spare")`
  UPDATE attachment_piece SET spared_until = $2
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Has pieces of no file looked at again after `until`. */
// change-ok -- as above
export async function sparePieces(db: Queryable, keys: string[], until: Date): Promise<void> {
  await db.query(spare, [keys, until.toISOString()]);
}

const postpone = statement("attachment-pieces-postpone")`
  UPDATE attachment_piece
     SET removal_failures = removal_failures + 1,
         spared_until = $2::timestamptz
           + least($4, $3 * 2 ^ least(removal_failures, 20)) * interval '1 millisecond'
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

/** Notes that the storage did not remove these pieces; each is due again after a wait that doubles from `first` to `last`, ms. */
// change-ok -- as above
export async function postponePieces(
  db: Queryable,
  keys: string[],
  { now, first, last }: { now: Date; first: number; last: number },
): Promise<void> {
  await db.query(postpone, [keys, now.toISOString(), first, last]);
}

export interface WaitingPieces {
  /** Pieces that should have been removed. */
  waiting: number;
  /** Those that the storage failed to remove. */
  stuck: number;
}

const waiting = statement<WaitingPieces>("attachment-pieces-waiting")`
  SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE removal_failures > 0)::integer AS stuck
    FROM attachment_piece WHERE file_id IS NULL AND (spared_until < $1 OR removal_failures > 0)`;

/** Pieces that should have been removed by `now`. */
export async function countWaiting(db: Queryable, now: Date): Promise<WaitingPieces> {
  return (await db.query(waiting, [now.toISOString()]))[0]!;
}

/** Objects that are removed from the storage at the same time. */
const concurrency = 8;

/** Milliseconds until an object that could not be removed is tried again: the first time, doubled until the last. */
const first = 5 * 60_000;
const last = 60 * 60_000;

/** Number of failed removals after which the storage is considered unreachable. */
const maxFailures = 3 * concurrency;

/** Aborts uploads that were not completed in time, at most `max`; returns how many. */
export function dropOverdueUploads(
  { db }: Pick<Context, "db">,
  now: Date,
  max: number,
): Promise<number> {
  const cutoff = new Date(now.getTime() - uploadLife);
  return changing({ db }, system, ({ tx }) => dropOverdue(tx, cutoff, max));
}

/**
 * Removes objects that belong to no file, some at a time; yields their number. An object is forgotten only once it is
 * gone, so that a process that ends meanwhile leaves nothing behind. One that cannot be removed is passed over and tried
 * again later, so that it never stops another. Throws when none can be removed.
 */
export async function* removePieces(
  { db, storage, log }: Pick<Context, "db" | "storage" | "log">,
  now: Date,
): AsyncGenerator<number> {
  let [removed, failures, reason]: [number, number, unknown] = [0, 0, undefined];
  for (;;) {
    const keys = await piecesDue(db, now, concurrency);
    if (keys.length === 0) break;
    const outcomes = await Promise.allSettled(keys.map((key) => storage.delete(key)));
    const gone = keys.filter((_, at) => outcomes[at]!.status === "fulfilled");
    await forgetPieces(db, gone);
    removed += gone.length;
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) {
      reason = failed.reason;
      const remaining = keys.filter((key) => !gone.includes(key));
      failures += remaining.length;
      log.warn("objects cannot be removed", { objects: remaining, error: reason });
      await postponePieces(db, remaining, { now, first, last });
    }
    yield gone.length;
    if (removed === 0 && failures >= maxFailures) break;
  }
  if (removed === 0 && failures > 0) throw reason;
}

/** Pieces that should be gone from the storage by now. */
export function piecesWaiting(
  { db }: Pick<Context, "db">,
  now: Date,
): Promise<WaitingPieces> {
  return countWaiting(db, now);
}
