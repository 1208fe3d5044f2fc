import { z } from "@hono/zod-openapi";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import {
  InternalDescription,
  InternalDescriptionForm,
  InternalName,
  InternalNameForm,
} from "#services/api/features/descriptions/service.ts";
import * as service from "#services/api/features/descriptions/service.ts";

const common = {
  method: "put" as const,
  tag: "dataEntity",
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
};

const describeSpec = operation({
  ...common,
  id: "upsertDataEntityInternalDescription",
  path: "/api/dataentities/{data_entity_id}/description",
  summary: "Set the description of an entity, in Markdown; blank or null removes it",
  access: { permission: "DATA_ENTITY_DESCRIPTION_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["DESCRIPTION_UPDATED"],
  body: InternalDescriptionForm,
  responses: {
    200: {
      description: "The description, and all terms of the entity",
      schema: InternalDescription,
    },
  },
});

const nameSpec = operation({
  ...common,
  id: "upsertDataEntityInternalName",
  path: "/api/dataentities/{data_entity_id}/name",
  summary: "Set the display name of an entity; blank or null removes it",
  access: { permission: "DATA_ENTITY_INTERNAL_NAME_UPDATE", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["BUSINESS_NAME_UPDATED"],
  body: InternalNameForm,
  responses: { 200: { description: "The name", schema: InternalName } },
});

/** The operations that describe and name data entities. */
export function descriptionRoutes(context: Context): Route[] {
  return [
    serve(describeSpec, ({ params, body, actor }) => {
      const { data_entity_id: id } = params;
      return service.describeEntity(context, actor, id, body.internal_description);
    }),
    serve(nameSpec, async ({ params, body, actor }) => {
      const { data_entity_id: id } = params;
      const name = await service.nameEntity(context, actor, id, body.internal_name);
      return ok({ internal_name: name ?? "" });
    }),
  ];
}
