import { z } from "@hono/zod-openapi";
import { DataEntityStatus, DataEntityStatusEnum } from "#contract/catalogue/entity-ref.ts";
import { idParam } from "#contract/http.ts";
import { Instant } from "#contract/ingestion/values.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { openAccess } from "#services/api/access/service.ts";
import { updateStatus } from "#services/api/features/statuses/service.ts";

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
  document: "platform",
  summary: "Set an entity's status: delete it, restore it, or let it end at a time",
  access: { permission: "DATA_ENTITY_STATUS_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["DATA_ENTITY_STATUS_UPDATED"],
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  body: StatusForm,
  responses: { 200: { description: "The current status", schema: DataEntityStatus } },
  errors: [404],
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
