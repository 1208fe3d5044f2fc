import { system } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Context } from "#platform/context.ts";
import { uploadLife } from "#services/api/features/attachments/bounds.ts";
import * as queries from "#services/api/features/attachments/removal.queries.ts";

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
  return changing({ db }, system, ({ tx }) => queries.dropOverdue(tx, cutoff, max));
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
    const keys = await queries.piecesDue(db, now, concurrency);
    if (keys.length === 0) break;
    const outcomes = await Promise.allSettled(keys.map((key) => storage.delete(key)));
    const gone = keys.filter((_, at) => outcomes[at]!.status === "fulfilled");
    await queries.forgetPieces(db, gone);
    removed += gone.length;
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) {
      reason = failed.reason;
      const remaining = keys.filter((key) => !gone.includes(key));
      failures += remaining.length;
      log.warn("objects cannot be removed", { objects: remaining, error: reason });
      await queries.postponePieces(db, remaining, { now, first, last });
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
): Promise<queries.WaitingPieces> {
  return queries.countWaiting(db, now);
}
