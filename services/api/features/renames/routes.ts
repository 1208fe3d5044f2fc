import { z } from "@hono/zod-openapi";
import { RenameOfferList } from "#contract/catalogue/entity.ts";
import { idParam, pageQueryWithDefaults } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import * as service from "./service.ts";

const listSpec = operation({
  id: "getConnectionRenames",
  method: "get",
  path: "/api/connections/{connection_id}/renames",
  tag: "connection",
  document: "platform",
  summary: "What the connection finds under another name, probably; nothing is carried over yet",
  access: { permission: "CONNECTION_VIEW", on: "MANAGEMENT" },
  params: z.object({ connection_id: idParam("connection_id") }),
  query: z.object(pageQueryWithDefaults),
  responses: { 200: { description: "One page", schema: RenameOfferList } },
  errors: [404],
});

const decisions = ([
  [
    "carry-over",
    "CARRIED_OVER",
    "carryOverRename",
    "Take what people wrote on the former asset over to this one",
  ],
  [
    "dismiss",
    "DISMISSED",
    "dismissRename",
    "Drop the offer: this is not the former asset under another name",
  ],
] as const).map(([path, decision, id, summary]) => ({
  decision,
  spec: operation({
    id,
    method: "post",
    path: `/api/dataentities/{data_entity_id}/renames/{rename_id}/${path}`,
    tag: "dataEntity",
    document: "platform",
    summary,
    access: { permission: "DATA_ENTITY_CARRY_OVER", on: "DATA_ENTITY", of: entityOfPath },
    activity: { none: "it is audited; what is carried over is on the feed of the former asset" },
    params: z.object({
      data_entity_id: idParam("data_entity_id"),
      rename_id: idParam("rename_id"),
    }),
    responses: { 204: { description: "Decided" } },
    errors: [404],
  }),
}));

/** The operations on renames in a source. */
export function renameRoutes(context: Context): Route[] {
  return [
    serve(
      listSpec,
      async ({ params, query }) =>
        okJson(await service.listRenames(context, params.connection_id, query)),
    ),
    ...decisions.map(({ decision, spec }) =>
      serve(spec, async ({ params, actor }) => {
        const { data_entity_id: successor, rename_id: id } = params;
        await service.decideRename(context, actor, { successor, id, decision });
        return noContent();
      })
    ),
  ];
}
