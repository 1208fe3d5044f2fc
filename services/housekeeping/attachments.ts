import { system } from "#contract/actor.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { dropUploads, forgetPieces, uploadLife } from "#metadata/catalogue/uploads.ts";
import type { Context } from "#platform/context.ts";

const overdue = statement<{ id: number }>("attachment-overdue")`
  SELECT id FROM attachment_file WHERE completed_at IS NULL AND started_at < $1
   ORDER BY started_at, id LIMIT $2 FOR UPDATE SKIP LOCKED`;

/** Pieces of no file that may be removed at $1, $2 at most. */
const due = statement<{ key: string }>("attachment-pieces-due")`
  SELECT key::text FROM attachment_piece WHERE file_id IS NULL AND spared_until < $1
   ORDER BY spared_until, key LIMIT $2`;

/** Notes at $2 that the storage did not remove these pieces; each is due again after a wait that doubles from $3 to $4 ms. */
const postpone = statement("attachment-pieces-postpone")`
  UPDATE attachment_piece
     SET removal_failures = removal_failures + 1,
         spared_until = $2::timestamptz
           + least($4, $3 * 2 ^ least(removal_failures, 20)) * interval '1 millisecond'
   WHERE key = ANY($1::uuid[]) AND file_id IS NULL`;

interface WaitingPieces {
  /** Pieces that should have been removed. */
  waiting: number;
  /** Those that the storage failed to remove. */
  stuck: number;
}

const waiting = statement<WaitingPieces>("attachment-pieces-waiting")`
  SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE removal_failures > 0)::integer AS stuck
    FROM attachment_piece WHERE file_id IS NULL AND (spared_until < $1 OR removal_failures > 0)`;

/** Objects that are removed from the storage at the same time. */
const concurrency = 8;

/** Milliseconds until an object that could not be removed is tried again: the first time, doubled until the last. */
const first = 5 * 60_000;
const last = 60 * 60_000;

/** Number of failed removals after which the storage is considered unreachable. */
const maxFailures = 3 * concurrency;

/** Aborts uploads that were not completed in time, at most `max`; their pieces are removed later. Returns how many. */
export function dropOverdueUploads(
  { db }: Pick<Context, "db">,
  now: Date,
  max: number,
): Promise<number> {
  const cutoff = new Date(now.getTime() - uploadLife);
  return changing({ db }, system, async ({ tx }) => {
    const ids = (await tx.query(overdue, [cutoff.toISOString(), max])).map(({ id }) => id);
    if (ids.length > 0) await dropUploads(tx, ids);
    return ids.length;
  });
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
    const keys = (await db.query(due, [now.toISOString(), concurrency])).map(({ key }) => key);
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
      // change-ok -- the account of the storage: what is of no file is no part of the catalogue
      await db.query(postpone, [remaining, now.toISOString(), first, last]);
    }
    yield gone.length;
    if (removed === 0 && failures >= maxFailures) break;
  }
  if (removed === 0 && failures > 0) throw reason;
}

/** Pieces that should be gone from the storage by now. */
export async function piecesWaiting(
  { db }: Pick<Context, "db">,
  now: Date,
): Promise<WaitingPieces> {
  return (await db.query(waiting, [now.toISOString()]))[0]!;
}
