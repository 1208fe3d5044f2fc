import type { EntityStatus } from "#contract/entities.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import { recordActivity } from "#metadata/activity.ts";
import type { Database, Transaction } from "#metadata/database.ts";
import { retryingTransaction } from "#metadata/retrying.ts";
import type { Context } from "#platform/context.ts";
import * as queries from "#services/api/features/statuses/queries.ts";

/** What an entity is to become. `switchAt`: when DRAFT or DEPRECATED turns into DELETED. */
export interface StatusTarget {
  status: EntityStatus;
  switchAt: Date | null;
}

/** Who changes it; `by` is null for the service itself and for anonymous callers. */
export interface Actor {
  by: string | null;
  system: boolean;
}

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
    const locked = await queries.lockStatuses(tx, ids);
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
    const locked = await queries.lockStatuses(tx, due);
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

/** Gives locked entities one status; its last statement ends the transaction's work. */
async function applyStatus(
  tx: Transaction,
  locked: queries.LockedStatus[],
  to: StatusTarget,
  actor: Actor,
  now: Date,
): Promise<void> {
  const time = to.switchAt?.toISOString() ?? null;
  const changed = locked.filter((e) => e.status !== to.status || e.switch_time !== time);
  if (changed.length === 0) return;
  const ids = changed.map((e) => e.id);
  await queries.setStatus(tx, ids, to, now);
  const moved = await moveLineage(tx, changed, to.status);
  await recordActivity(
    tx,
    changed.map((e) => ({
      type: "DATA_ENTITY_STATUS_UPDATED" as const,
      entityId: e.id,
      by: actor.by,
      system: actor.system,
      before: stateOf(e.status, e.switch_time),
      after: stateOf(to.status, time),
    })),
  );
  if (moved.length > 0) await queries.appendLineage(tx, moved);
}

function moveLineage(
  tx: Transaction,
  changed: queries.LockedStatus[],
  to: EntityStatus,
): Promise<number[]> {
  const crossing = changed.filter((e) => (e.status === "DELETED") !== (to === "DELETED"));
  return queries.setDeleted(tx, crossing.map((e) => e.id), to === "DELETED");
}

function stateOf(status: EntityStatus, time: string | null) {
  return { status: { status, ...(time === null ? {} : { status_switch_time: time }) } };
}
