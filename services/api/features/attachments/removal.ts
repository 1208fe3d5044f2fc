import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { Context } from "#platform/context.ts";
import { uploadLife } from "#services/api/features/attachments/bounds.ts";
import * as queries from "#services/api/features/attachments/removal.queries.ts";

/** Objects that are removed from the storage at the same time. */
const atOnce = 8;

/** Milliseconds after which an object that alone cannot be removed is tried again. */
const again = 60 * 60_000;

/** Gives up uploads that were not completed in time, at most `most`; returns how many. */
export function dropOverdueUploads(
  { db }: Pick<Context, "db">,
  now: Date,
  most: number,
): Promise<number> {
  const cutoff = new Date(now.getTime() - uploadLife);
  return retryingTransaction(db, (tx) => queries.dropOverdue(tx, cutoff, most));
}

/**
 * Removes objects that belong to no file, some at a time; yields their number. An object is forgotten only once it is
 * gone, so that a process that ends meanwhile leaves nothing behind. Throws when the storage removes nothing, and what
 * cannot be removed by itself is passed over for an hour.
 */
export async function* removePieces(
  { db, storage, log }: Pick<Context, "db" | "storage" | "log">,
  now: Date,
): AsyncGenerator<number> {
  for (;;) {
    const keys = await queries.piecesDue(db, now, atOnce);
    if (keys.length === 0) return;
    const outcomes = await Promise.allSettled(keys.map((key) => storage.delete(key)));
    const gone = keys.filter((_, at) => outcomes[at]!.status === "fulfilled");
    const failed = outcomes.flatMap((outcome) => outcome.status === "rejected" ? outcome : []);
    if (gone.length === 0 && keys.length > 1) throw failed[0]!.reason;
    await queries.forgetPieces(db, gone);
    if (failed.length > 0) {
      const kept = keys.filter((key) => !gone.includes(key));
      log.warn("objects cannot be removed", { objects: kept.length, error: failed[0]!.reason });
      await queries.sparePieces(db, kept, new Date(now.getTime() + again));
    }
    yield gone.length;
  }
}

/** Pieces that should be gone from the storage by now. */
export function piecesWaiting({ db }: Pick<Context, "db">, now: Date): Promise<number> {
  return queries.countWaiting(db, now);
}
