import { badRequest, notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import {
  applyStatus,
  isTemporary,
  lockStatuses,
  type StatusTarget,
} from "#metadata/catalogue/statuses.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";

export interface StatusChange extends StatusTarget {
  id: number;
  /** Also change every direct and indirect member, if the entity is a group. */
  propagate: boolean;
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
