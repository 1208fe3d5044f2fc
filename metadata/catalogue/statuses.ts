import { type EntityStatus, entityStatuses } from "#contract/entities.ts";
import type { Change, ChangeEvent } from "#metadata/catalogue/changing.ts";
import { type LockedEntity, lockEntities } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** The new status of an entity. `switchAt`: when DRAFT or DEPRECATED turns into DELETED. */
export interface StatusTarget {
  status: EntityStatus;
  switchAt: Date | null;
}

/** An entity's status, read when its row was locked. */
type LockedStatus = Pick<LockedEntity, "id" | "status" | "switch_time">;

/** Whether a status ends automatically, at a time that must be given with it. */
export function isTemporary(status: EntityStatus): boolean {
  return status === "DRAFT" || status === "DEPRECATED";
}

/** Locks the entities in id order; leaves out hollow and unknown ones. */
export async function lockStatuses(tx: Transaction, ids: number[]): Promise<LockedStatus[]> {
  return [...(await lockEntities(tx, ids)).values()].filter(({ hollow }) => !hollow);
}

/** Sets one status on locked entities, and records their activity and lineage. */
export async function applyStatus(
  change: Change,
  locked: LockedStatus[],
  to: StatusTarget,
  now: Date,
): Promise<void> {
  const { tx } = change;
  const time = to.switchAt?.toISOString() ?? null;
  const changed = locked.filter((e) => e.status !== to.status || e.switch_time !== time);
  if (changed.length === 0) return;
  const ids = changed.map((e) => e.id);
  await tx.query(setStatuses, [ids, entityStatuses[to.status], time, now.toISOString()]);
  const deleted = to.status === "DELETED";
  const crossing = changed.filter((e) => (e.status === "DELETED") !== deleted);
  change.moved(await setDeleted(tx, crossing.map((e) => e.id), deleted));
  change.record(...changed.map((e): ChangeEvent => ({
    type: "DATA_ENTITY_STATUS_UPDATED",
    entityId: e.id,
    before: stateOf(e.status, e.switch_time),
    after: stateOf(to.status, time),
  })));
}

const setStatuses = statement("status-set")`
  UPDATE data_entity
     SET status = $2, status_switch_at = $3, status_updated_at = $4, updated_at = $4
   WHERE id = ANY($1::bigint[])`;

/** Maximum number of entities per statement that moves edges, so that none comes near the statement timeout. */
const maxMovedAtOnce = 5_000;

const hideOrShow = statement<{ ids: number[] }>("status-set-deleted")`
  SELECT lineage_set_deleted($1, $2) AS ids`;

/** Hides or shows the edges of `ids`; returns the entities whose edges changed. */
async function setDeleted(tx: Transaction, ids: number[], deleted: boolean): Promise<number[]> {
  const moved: number[][] = [];
  for (let from = 0; from < ids.length; from += maxMovedAtOnce) {
    const rows = await tx.query(hideOrShow, [ids.slice(from, from + maxMovedAtOnce), deleted]);
    moved.push(rows[0]!.ids);
  }
  return moved.flat();
}

function stateOf(status: EntityStatus, time: string | null) {
  return { status: { status, ...(time === null ? {} : { status_switch_time: time }) } };
}
