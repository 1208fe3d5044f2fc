import type { EntityStatus } from "#contract/entities.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import type { Database } from "#metadata/database.ts";
import { retryingTransaction } from "#metadata/retrying.ts";
import { type Actor, applyStatus, lockStatuses, type StatusTarget } from "#metadata/statuses.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/statuses/queries.ts";

export interface StatusChange extends StatusTarget {
  id: number;
  /** Also every direct and indirect member, when the entity is a group. */
  propagate: boolean;
  actor: Actor;
}

/** Whether a status ends by itself, at a time that must be given with it. */
export function isTemporary(status: EntityStatus): boolean {
  return status === "DRAFT" || status === "DEPRECATED";
}

/**
 * Sets the status of an entity, with its activity and its lineage in one transaction (search
 * documents do not tell of statuses; searches judge them when they read). 400 when a temporary status has no time in the future, 404 for an unknown or hollow
 * entity. The switch time of a lasting status is dropped. Returns what holds now.
 */
export async function updateStatus(
  context: Pick<Context, "db" | "clock">,
  change: StatusChange,
): Promise<StatusTarget> {
  const now = new Date(context.clock.now());
  const target = validTarget(change, now);
  await retryingTransaction(context.db, async (tx) => {
    const ids = change.propagate ? await queries.withMembers(tx, change.id) : [change.id];
    const locked = await lockStatuses(tx, ids);
    if (!locked.some((entity) => entity.id === change.id)) {
      throw notFound("Data entity", change.id);
    }
    await applyStatus(tx, locked, target, change.actor, now);
  });
  return target;
}

function validTarget(change: StatusChange, now: Date): StatusTarget {
  if (!isTemporary(change.status)) return { status: change.status, switchAt: null };
  if (change.switchAt !== null && change.switchAt > now) {
    return { status: change.status, switchAt: change.switchAt };
  }
  const message = `${change.status} needs a time in the future at which it ends`;
  throw badRequest(`Invalid body: status.status_switch_time: ${message}`, [
    { field: "status.status_switch_time", message },
  ]);
}

/**
 * Turns entities whose DRAFT or DEPRECATED time has come (`status_switch_time <= now`) into DELETED,
 * as system events, at most `lot` of them. Returns how many were found due.
 */
export async function switchDueStatuses(db: Database, now: Date, lot: number): Promise<number> {
  return await retryingTransaction(db, async (tx) => {
    const due = await queries.dueEntities(tx, now, lot);
    if (due.length === 0) return 0;
    const locked = await lockStatuses(tx, due);
    const still = locked.filter((e) =>
      isTemporary(e.status) && e.switch_time !== null && new Date(e.switch_time) <= now
    );
    await applyStatus(tx, still, { status: "DELETED", switchAt: null }, {
      by: null,
      system: true,
    }, now);
    return due.length;
  });
}
