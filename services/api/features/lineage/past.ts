import { AppError, badRequest, notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { historyBegins } from "#services/api/features/lineage/changes.queries.ts";
import { type PastRoot, rootAt } from "#services/api/features/lineage/past.queries.ts";

/** Milliseconds for which the recorded lineage of a time may still change: its transactions may not have ended yet. */
export const unsettledMs = 30_000;

const dayMs = 86_400_000;

type PastDeps = Pick<Context, "clock" | "config">;

/**
 * Refuses a time that is yet to come, or before the history begins; `name` is the parameter. The earliest time is where
 * something was forgotten, or may be at any moment.
 */
export function refuseTime(
  { clock, config }: PastDeps,
  name: string,
  at: string,
  begins: string | null,
): void {
  const now = clock.now();
  const time = Date.parse(at);
  const wrong = (message: string) => badRequest(`${name} ${message}`, [{ field: name, message }]);
  if (time > now) throw wrong("must not lie in the future");
  const retainedSince = now - config.housekeeping.ttl.lineage_history_days * dayMs;
  const earliest = Math.max(retainedSince, begins === null ? -Infinity : Date.parse(begins));
  if (time >= earliest) return;
  throw wrong(`must not be before ${new Date(earliest).toISOString()}, where the history begins`);
}

/** Why there is no root as of a time; null when it was there. The answer names what would help to ask again. */
export function absence(root: PastRoot, at: string, kind: string, id: number): AppError | null {
  const { created_at: created, purged_at: purged, deleted_since: deleted } = root;
  if (created === null) return notFound(kind, id);
  const gone = (said: string, field: string, time: string) =>
    new AppError(`${kind} ${id} ${said} ${time}`, {
      status: 404,
      code: "USR002",
      details: [{ field, message: time }],
    });
  if (purged !== null && at >= purged) return gone("was purged at", "purged_at", purged);
  if (deleted !== null) return gone("was deleted then, since", "deleted_since", deleted);
  if (created > at && !root.touched) {
    return gone("was not there yet: it was created at", "created_at", created);
  }
  return null;
}

/** The root as of a permitted time; 400 for the time, 404 for a root that did not exist. */
export async function rootAsOf(
  context: Context,
  kind: string,
  id: number,
  at: string,
): Promise<PastRoot> {
  refuseTime(context, "as_of", at, null);
  const [root] = await context.db.query(rootAt, [id, at]);
  refuseTime(context, "as_of", at, root!.begins);
  const why = absence(root!, at, kind, id);
  if (why) throw why;
  return root!;
}

/** Refuses a time that the history does not cover; returns the further headers of a response as of it. */
export async function checkPastTime(
  context: PastDeps & Pick<Context, "db">,
  asOf: string,
): Promise<Record<string, string>> {
  refuseTime(context, "as_of", asOf, null);
  const [begins] = await context.db.query(historyBegins, []);
  refuseTime(context, "as_of", asOf, begins?.at ?? null);
  return pastHeaders(context, asOf);
}

/** Further headers of an answer as of a time; `newest` is the latest time that was requested. */
export function pastHeaders(
  { clock }: PastDeps,
  asOf: string,
  newest = asOf,
): Record<string, string> {
  const unsettled = clock.now() - Date.parse(newest) < unsettledMs;
  return {
    "X-Lineage-As-Of": asOf,
    ...(unsettled ? { "X-Lineage-Unsettled": "true" } : {}),
  };
}
