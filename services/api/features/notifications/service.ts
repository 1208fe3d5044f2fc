import type { Actor } from "#contract/actor.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { SilenceForm } from "#contract/catalogue/deliveries.ts";
import { type PageQuery, pageWindow } from "#contract/http.ts";
import type { NotificationChannel } from "#contract/notifications.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/notifications/queries.ts";

type Deps = Pick<Context, "db">;

/** Attempts of each delivery in a list, and in the answer for a single delivery. */
const listedAttempts = 20;
const shownAttempts = 1_000;
/** Deliveries that are queued again in one transaction. */
const resendBatch = 1_000;

/** One page of the delivery log, newest first; NotificationDeliveryList as JSON text. */
export function listDeliveries({ db }: Deps, filter: queries.DeliveryFilter, page: PageQuery) {
  return queries.deliveryPage(db, filter, pageWindow(page), listedAttempts);
}

/** NotificationDelivery as JSON text, with its newest 1,000 attempts. Throws 404. */
export async function describeDelivery({ db }: Deps, id: string): Promise<string> {
  const json = await queries.deliveryById(db, id, shownAttempts);
  if (json === undefined) throw notFound("Delivery", id);
  return json;
}

/**
 * Queues a failed delivery again, with a fresh budget of attempts, and returns it. Throws 404, and
 * 400 (USR003) if it has not failed.
 */
export async function resendDelivery(deps: Deps, id: string): Promise<string> {
  if (await queries.resend(deps.db, [id]) === 0) {
    const state = await queries.deliveryState(deps.db, id);
    if (state === undefined) throw notFound("Delivery", id);
    throw conflict(`Only a failed delivery can be sent again; ${id} is ${state}`);
  }
  return await describeDelivery(deps, id);
}

/** Queues those of the deliveries again that have failed; returns their number. */
export function resendDeliveries({ db }: Deps, ids: string[]): Promise<number> {
  return queries.resend(db, ids);
}

/** As `resendDeliveries`, for all that have failed so far, of one channel or of all. */
export async function resendFailed(
  { db, clock }: Pick<Context, "db" | "clock">,
  channel?: NotificationChannel,
): Promise<number> {
  // Only failures before this time, or repeated failures would make this endless.
  const begun = new Date(clock.now());
  let resent = 0;
  for (;;) {
    const ids = await queries.failedIds(db, begun, channel, resendBatch);
    if (ids.length === 0) return resent;
    resent += await queries.resend(db, ids);
  }
}

/** One page of the silences, those that end last first; NotificationSilenceList as JSON text. */
export function listSilences({ db }: Deps, page: PageQuery, active?: boolean): Promise<string> {
  return queries.silencePage(db, pageWindow(page), active);
}

/**
 * Creates a silence that starts now; NotificationSilence as JSON text. Throws 400 when its end has
 * passed, or when something that it names does not exist.
 */
export async function createSilence(
  context: Pick<Context, "db" | "clock">,
  actor: Actor,
  form: SilenceForm,
): Promise<string> {
  const { db, clock } = context;
  if (Date.parse(form.until) <= clock.now()) {
    throw badRequest("The silence would be over", [
      { field: "until", message: "must lie in the future" },
    ]);
  }
  const known = await queries.knownConditions(db, form);
  const unknown = Object.entries(known).filter(([, there]) => !there).map(([field]) => field);
  if (unknown.length > 0) {
    const details = unknown.map((field) => ({ field, message: "names nothing that is there" }));
    throw badRequest("The silence names what is not there", details);
  }
  return await changing(context, actor, ({ tx }) => queries.insertSilence(tx, form, actor));
}

/** Ends a silence. Throws 404. */
export async function deleteSilence(context: Deps, actor: Actor, id: number): Promise<void> {
  const deleted = await changing(context, actor, ({ tx }) => queries.deleteSilence(tx, id));
  if (!deleted) throw notFound("Silence", id);
}
