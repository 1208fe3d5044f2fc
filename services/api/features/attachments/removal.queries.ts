import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

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
