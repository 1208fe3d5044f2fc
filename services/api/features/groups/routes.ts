import { z } from "@hono/zod-openapi";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import { readRoutes } from "#services/api/features/groups/read-routes.ts";
import { AddToGroupForm, GroupForm } from "#services/api/features/groups/schemas.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import * as service from "#services/api/features/groups/service.ts";

const groupAnswer = { 200: { description: "The group", schema: DataEntityRef } };
const common = { tag: "dataEntityGroup", document: "platform" as const };

const createSpec = operation({
  ...common,
  id: "createDataEntityGroup",
  method: "post",
  path: "/api/dataentitygroups",
  summary: "Make a group by hand",
  access: { permission: "DATA_ENTITY_GROUP_CREATE", on: "MANAGEMENT" },
  activity: ["CUSTOM_GROUP_CREATED"],
  body: GroupForm,
  responses: groupAnswer,
});

const updateSpec = operation({
  ...common,
  id: "updateDataEntityGroup",
  method: "put",
  path: "/api/dataentitygroups/{data_entity_group_id}",
  summary: "Change a group made by hand, its members included",
  access: {
    permission: "DATA_ENTITY_GROUP_UPDATE",
    on: "DATA_ENTITY",
    of: ({ params }) => ({ kind: "data_entity", id: params.data_entity_group_id }),
  },
  activity: ["CUSTOM_GROUP_UPDATED"],
  params: z.object({ data_entity_group_id: idParam("data_entity_group_id") }),
  body: GroupForm,
  responses: groupAnswer,
  errors: [404],
});

const addSpec = operation({
  ...common,
  id: "addDataEntityDataEntityGroup",
  method: "post",
  path: "/api/dataentities/{data_entity_id}/data_entity_group",
  summary: "Put an entity into a group made by hand",
  access: { permission: "DATA_ENTITY_ADD_TO_GROUP", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["CUSTOM_GROUP_UPDATED"],
  params: z.object({ data_entity_id: idParam("data_entity_id") }),
  body: AddToGroupForm,
  responses: groupAnswer,
  errors: [404],
});

const removeSpec = operation({
  ...common,
  id: "deleteDataEntityFromDataEntityGroup",
  method: "delete",
  path: "/api/dataentities/{data_entity_id}/data_entity_group/{data_entity_group_id}",
  summary: "Take an entity out of a group made by hand",
  access: { permission: "DATA_ENTITY_DELETE_FROM_GROUP", on: "DATA_ENTITY", of: entityOfPath },
  activity: ["CUSTOM_GROUP_UPDATED"],
  params: z.object({
    data_entity_id: idParam("data_entity_id"),
    data_entity_group_id: idParam("data_entity_group_id"),
  }),
  responses: { 204: { description: "It is no longer a member" } },
  errors: [404],
});

/** The operations on groups of data entities, and on members of manually created groups. */
export function groupRoutes(context: Context): Route[] {
  return [
    serve(
      createSpec,
      async ({ body, actor }) => okJson(await service.createGroup(context, actor, body)),
    ),
    serve(updateSpec, async ({ params, body, actor }) => {
      const id = params.data_entity_group_id;
      return okJson(await service.updateGroup(context, actor, id, body));
    }),
    serve(addSpec, async ({ params, body, actor }) => {
      const { data_entity_id: entity } = params;
      const group = body.data_entity_group_id;
      return okJson(await service.addMember(context, actor, entity, group));
    }),
    serve(removeSpec, async ({ params, actor }) => {
      const { data_entity_id: entity, data_entity_group_id: group } = params;
      await service.removeMember(context, actor, entity, group);
      return noContent();
    }),
    ...readRoutes(context),
  ];
}
