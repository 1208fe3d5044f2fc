import { z } from "@hono/zod-openapi";
import { listQuery } from "#contract/catalogue/inputs.ts";
import { Ownership, TitleList } from "#contract/catalogue/people.ts";
import { booleanQuery, idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { entityOfPath } from "#services/api/access/resources.ts";
import { openAccess } from "#services/api/access/service.ts";
import { OwnershipForm, OwnershipUpdateForm } from "#services/api/features/ownership/service.ts";
import * as service from "#services/api/features/ownership/service.ts";

const data_entity_id = idParam("data_entity_id");
const all = {
  tag: "dataEntity",
  path: "/api/dataentities/{data_entity_id}/ownership",
  params: z.object({ data_entity_id }),
};
const one = {
  ...all,
  path: `${all.path}/{ownership_id}`,
  params: z.object({ data_entity_id, ownership_id: idParam("ownership_id") }),
};
const on = { on: "DATA_ENTITY", of: entityOfPath } as const;
const answer = { 200: { description: "The ownership", schema: Ownership } };

const createSpec = operation({
  ...all,
  id: "createOwnership",
  method: "post",
  summary: "Give an entity an owner; owner and title are created if they do not exist",
  access: { permission: "DATA_ENTITY_OWNERSHIP_CREATE", ...on },
  activity: ["OWNERSHIP_CREATED", "OWNERSHIP_UPDATED"],
  body: OwnershipForm,
  responses: answer,
});

const updateSpec = operation({
  ...one,
  id: "updateOwnership",
  method: "put",
  summary: "Set the title by which an owner owns an entity",
  access: { permission: "DATA_ENTITY_OWNERSHIP_UPDATE", ...on },
  activity: ["OWNERSHIP_CREATED", "OWNERSHIP_UPDATED"],
  body: OwnershipUpdateForm,
  responses: answer,
});

const deleteSpec = operation({
  ...one,
  id: "deleteOwnership",
  method: "delete",
  summary: "Take an owner from an entity",
  access: { permission: "DATA_ENTITY_OWNERSHIP_DELETE", ...on },
  activity: ["OWNERSHIP_DELETED"],
  query: z.object({
    propagate: booleanQuery("propagate", "Of a group: take it from the members as well"),
  }),
  responses: { 204: { description: "It owns the entity no longer" } },
});

const titlesSpec = operation({
  id: "getTitleList",
  method: "get",
  path: "/api/titles",
  tag: "title",
  summary: "Titles that some owner owns something by, by name",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: TitleList } },
});

/** The operations on ownerships of data entities, and the list of their titles. */
export function ownershipRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const authorized = { db: context.db, authorizer };
  return [
    serve(createSpec, ({ params: { data_entity_id: id }, body, actor }) => {
      return service.createOwnership(authorized, actor, id, body);
    }),
    serve(updateSpec, ({ params: { data_entity_id: entityId, ownership_id: id }, body, actor }) => {
      return service.updateOwnership(authorized, actor, { entityId, id }, body);
    }),
    serve(
      deleteSpec,
      ({ params: { data_entity_id: entityId, ownership_id: id }, query, actor }) => {
        return service.deleteOwnership(
          authorized,
          actor,
          { entityId, id },
          query.propagate ?? false,
        );
      },
    ),
    serve(titlesSpec, ({ query }) => service.listTitles(context, query)),
  ];
}
