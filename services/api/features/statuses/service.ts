import { system } from "#contract/actor.ts";
import { type EntityStatus, entityStatuses } from "#contract/entities.ts";
import { badRequest, notFound } from "#kit/errors.ts";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { applyStatus, lockStatuses, type StatusTarget } from "#metadata/catalogue/statuses.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";

export interface StatusChange extends StatusTarget {
  id: number;
  /** Also change every direct and indirect member, if the entity is a group. */
  propagate: boolean;
}

/** Whether a status ends automatically, at a time that must be given with it. */
export function isTemporary(status: EntityStatus): boolean {
  return status === "DRAFT" || status === "DEPRECATED";
}

/**
 * Sets the status of an entity, with activity and lineage in one transaction (searches read statuses
 * live, so search documents stay unchanged). 400 when a temporary status has no future end, 404 for
 * an unknown or hollow entity. A permanent status drops the switch time. With
 * `propagate` throws 403 where the caller may not do the same to a member. Returns the new status.
 */
export async function updateStatus(
  context: Pick<Context, "db" | "clock"> & { authorizer: Pick<Authorizer, "authorizeEntities"> },
  actor: Caller,
  request: StatusChange,
): Promise<StatusTarget> {
  const now = new Date(context.clock.now());
  const target = validTarget(request, now);
  const ids = request.propagate ? await withMembers(context.db, request.id) : [request.id];
  if (request.propagate) {
    await context.authorizer.authorizeEntities(actor, "DATA_ENTITY_STATUS_UPDATE", ids);
  }
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const locked = await lockStatuses(tx, ids);
    if (!locked.some((entity) => entity.id === request.id)) {
      throw notFound("Data entity", request.id);
    }
    await applyStatus(change, locked, target, now);
  });
  return target;
}

function validTarget({ status, switchAt }: StatusChange, now: Date): StatusTarget {
  if (!isTemporary(status)) return { status, switchAt: null };
  if (switchAt !== null && switchAt > now) return { status, switchAt };
  const message = `${status} needs a time in the future at which it ends`;
  throw badRequest(`Invalid body: status.status_switch_time: ${message}`, [
    { field: "status.status_switch_time", message },
  ]);
}

/**
 * Sets entities to DELETED whose DRAFT or DEPRECATED period has ended (`status_switch_time <= now`),
 * as system events, at most `batch` of them. Returns how many were due.
 */
export async function switchDueStatuses(db: Database, now: Date, batch: number): Promise<number> {
  return await changing({ db }, system, async (change) => {
    const { tx } = change;
    const due = await dueEntities(tx, now, batch);
    if (due.length === 0) return 0;
    const locked = await lockStatuses(tx, due);
    const still = locked.filter((e) =>
      isTemporary(e.status) && e.switch_time !== null && new Date(e.switch_time) <= now
    );
    await applyStatus(change, still, { status: "DELETED", switchAt: null }, now);
    return due.length;
  });
}

// UNION drops duplicates, so the recursion ends even in a membership cycle.
const closure = statement<{ id: number }>("status-closure")`
  WITH RECURSIVE below (id) AS (
    SELECT $1::bigint
    UNION
    SELECT m.member_id FROM below b JOIN group_member m ON m.group_id = b.id
  ) SELECT id FROM below`;

/** The entity and all its direct and indirect members. */
async function withMembers(db: Queryable, id: number): Promise<number[]> {
  const rows = await db.query(closure, [id]);
  return rows.map((row) => row.id);
}

const dueStatement = statement<{ id: number }>("status-due")`
  SELECT id FROM data_entity
   WHERE status_switch_at <= $1 AND NOT hollow AND status IN (${entityStatuses.DRAFT}, ${entityStatuses.DEPRECATED})
   ORDER BY status_switch_at, id LIMIT $2`;

/** Entities whose DRAFT or DEPRECATED period has ended at `now`, the longest overdue first. */
async function dueEntities(db: Queryable, now: Date, limit: number): Promise<number[]> {
  const rows = await db.query(dueStatement, [now.toISOString(), limit]);
  return rows.map((row) => row.id);
}
