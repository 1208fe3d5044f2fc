import { z } from "@hono/zod-openapi";
import { Long } from "#contract/catalogue/common.ts";
import { DataEntityBaseObject, DataEntityList } from "#contract/catalogue/entity.ts";
import { DataEntityRef } from "#contract/catalogue/entity-ref.ts";
import { idParam, PageInfo, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { okJson } from "#platform/operations/reply.ts";
import { nameQuery } from "#services/api/features/groups/schemas.ts";
import * as service from "#services/api/features/groups/service.ts";

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

const common = {
  method: "get" as const,
  tag: "dataEntityGroup",
  document: "platform" as const,
  access: "signed-in" as const,
};
const params = z.object({ data_entity_group_id: idParam("data_entity_group_id") });

const domainsSpec = operation({
  ...common,
  id: "getDomains",
  path: "/api/dataentitygroups/domains",
  summary: "Every domain, by name, with the number of its members",
  responses: { 200: { description: "The domains", schema: DomainList } },
});

const childrenSpec = operation({
  ...common,
  id: "getDataEntityGroupsChildren",
  path: "/api/dataentitygroups/{data_entity_group_id}/children",
  summary: "The groups that are direct members of a group",
  params,
  query: z.object(pageQuery),
  responses: { 200: { description: "A page of groups", schema: DataEntityList } },
  errors: [404],
});

const itemsSpec = operation({
  ...common,
  id: "getDataEntityGroupsItems",
  path: "/api/dataentitygroups/{data_entity_group_id}/items",
  summary: "The groups directly above a group, then its direct members",
  params,
  query: z.object({ ...pageQuery, query: nameQuery }),
  responses: { 200: { description: "A page of what matches", schema: ItemList } },
  errors: [404],
});

/** The operations that read groups. */
export function readRoutes(context: Context): Route[] {
  return [
    serve(domainsSpec, async () => okJson(await service.domains(context))),
    serve(
      childrenSpec,
      async ({ params, query }) =>
        okJson(await service.children(context, params.data_entity_group_id, query)),
    ),
    serve(
      itemsSpec,
      async ({ params, query }) =>
        okJson(await service.items(context, params.data_entity_group_id, query)),
    ),
  ];
}
