import { z } from "@hono/zod-openapi";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { idParam, PageInfo, pageQuery } from "#contract/http.ts";
import { Long } from "#contract/catalogue/common.ts";
import { DataEntityBaseObject, DataEntityList } from "#contract/catalogue/entity.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import * as service from "#services/api/features/groups/service.ts";
import { AddToGroupForm, GroupForm, nameQuery } from "#services/api/features/groups/schemas.ts";
import { entityOfPath } from "#services/api/access/resources.ts";

const groupAnswer = { 200: { description: "The group", schema: DataEntityRef } };
const common = { tag: "dataEntityGroup" };

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

const DomainList = z.object({
  items: z.array(
    z.object({ domain: DataEntityRef, children_count: Long }).openapi("DataEntityDomain"),
  ),
}).openapi("DataEntityDomainList");

const ItemList = z.object({
  items: z.array(
    z.object({ is_upper_group: z.boolean(), data_entity: DataEntityBaseObject })
      .openapi("DataEntityGroupItem"),
  ),
  entities_count: Long,
  upper_groups_count: Long,
  page_info: PageInfo,
}).openapi("DataEntityGroupItemList");

const reading = { ...common, method: "get", access: "signed-in" } as const;
const params = z.object({ data_entity_group_id: idParam("data_entity_group_id") });

const domainsSpec = operation({
  ...reading,
  id: "getDomains",
  path: "/api/dataentitygroups/domains",
  summary: "Every domain, by name, with the number of its members",
  responses: { 200: { description: "The domains", schema: DomainList } },
});

const childrenSpec = operation({
  ...reading,
  id: "getDataEntityGroupsChildren",
  path: "/api/dataentitygroups/{data_entity_group_id}/children",
  summary: "The groups that are direct members of a group",
  params,
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of groups", schema: DataEntityList } },
});

const itemsSpec = operation({
  ...reading,
  id: "getDataEntityGroupsItems",
  path: "/api/dataentitygroups/{data_entity_group_id}/items",
  summary: "The groups directly above a group, then its direct members",
  params,
  query: z.object({ ...pageQuery, query: nameQuery }),
  responses: { 200: { description: "A page of what matches", schema: ItemList } },
});

/** The operations that read groups. */
function readRoutes(context: Context): Route[] {
  return [
    serve(domainsSpec, () => service.domains(context)),
    serve(
      childrenSpec,
      ({ params, query }) => service.children(context, params.data_entity_group_id, query),
    ),
    serve(
      itemsSpec,
      ({ params, query }) => service.items(context, params.data_entity_group_id, query),
    ),
  ];
}

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
  params,
  body: GroupForm,
  responses: groupAnswer,
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
});

/** The operations on groups of data entities, and on members of manually created groups. */
export function groupRoutes(context: Context): Route[] {
  return [
    serve(createSpec, ({ body, actor }) => service.createGroup(context, actor, body)),
    serve(
      updateSpec,
      ({ params, body, actor }) =>
        service.updateGroup(context, actor, params.data_entity_group_id, body),
    ),
    serve(
      addSpec,
      ({ params, body, actor }) =>
        service.addMember(context, actor, params.data_entity_id, body.data_entity_group_id),
    ),
    serve(
      removeSpec,
      ({ params, actor }) =>
        service.removeMember(context, actor, params.data_entity_id, params.data_entity_group_id),
    ),
    ...readRoutes(context),
  ];
}
