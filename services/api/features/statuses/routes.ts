import { z } from "@hono/zod-openapi";
import { DataEntityStatus, DataEntityStatusEnum } from "#contract/catalogue/entity-ref.ts";
import { idParam } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { invalidField, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import {
  applyStatus,
  isTemporary,
  lockStatuses,
  type StatusTarget,
} from "#metadata/catalogue/statuses.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl, Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { openAccess } from "#services/api/access/service.ts";

const StatusForm = z.object({
  status: z.object({
    status: DataEntityStatusEnum,
    status_switch_time: Instant.nullish().openapi({
      type: ["string", "null"],
      format: "date-time",
    }),
  }),
  propagate: z.boolean().nullish(),
}).openapi("DataEntityStatusFormData");

const spec = operation({
  id: "updateStatus",
  method: "put",
  path: "/api/dataentities/{data_entity_id}/statuses",
  tag: "dataEntity",
  summary: "Set an entity's status: delete it, restore it, or let it end at a time",
  access: { permission: "DATA_ENTITY_STATUS_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["DATA_ENTITY_STATUS_UPDATED"],
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  body: StatusForm,
  responses: { 200: { description: "The current status", schema: DataEntityStatus } },
});

/** The operation that changes statuses of data entities. */
export function statusRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const authorized = { db: context.db, clock: context.clock, authorizer };
  return [
    serve(spec, async ({ params, body, actor }) => {
      const time = body.status.status_switch_time;
      const now = await updateStatus(authorized, actor, {
        id: params.data_entity_id,
        status: body.status.status,
        switchAt: time ? new Date(time) : null,
        propagate: body.propagate ?? false,
      });
      return ok({
        status: now.status,
        status_switch_time: now.switchAt?.toISOString() ?? null,
      });
    }),
  ];
}

interface StatusChange extends StatusTarget {
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
  const ids = request.propagate
    ? (await context.db.query(withMembers, [request.id])).map(({ id }) => id)
    : [request.id];
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
  throw invalidField(
    "status.status_switch_time",
    `${status} needs a time in the future at which it ends`,
  );
}

/** The entity and all its direct and indirect members. */
// UNION drops duplicates, so the recursion ends even in a membership cycle.
const withMembers = statement<{ id: number }>("status-closure")`
  WITH RECURSIVE below (id) AS (
    SELECT $1::bigint
    UNION
    SELECT m.member_id FROM below b JOIN group_member m ON m.group_id = b.id
  ) SELECT id FROM below`;
