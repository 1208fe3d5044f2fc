import { z } from "@hono/zod-openapi";
import { searchQuery } from "#contract/catalogue/inputs.ts";
import { Owner, OwnerList } from "#contract/catalogue/people.ts";
import { booleanQuery, idListQuery, idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { openAccess } from "#services/api/access/service.ts";
import { OwnerForm } from "#services/api/features/owners/service.ts";
import * as service from "#services/api/features/owners/service.ts";

const common = {
  tag: "owner",
  activity: { none: "the feed contains changes of entities; an owner is not one" },
};
const one = {
  ...common,
  path: "/api/owners/{owner_id}",
  params: z.object({ owner_id: idParam("owner_id") }),
};
const answer = { 200: { description: "The owner", schema: Owner } };

const listSpec = operation({
  ...common,
  id: "getOwnerList",
  method: "get",
  path: "/api/owners",
  summary: "Owners by name, with their roles and the users bound to them",
  access: "signed-in",
  query: z.object({
    ...pageQuery,
    query: searchQuery("query", "Part of a name, in any case"),
    ids: idListQuery("ids"),
    allowedForSync: booleanQuery(
      "allowedForSync",
      "Only owners that a user can be bound to without approval: no user is, and they have " +
        "no role but User. `false`: only the others",
    ),
  }),
  responses: { 200: { description: "One page", schema: OwnerList } },
});

const createSpec = operation({
  ...common,
  id: "createOwner",
  method: "post",
  path: "/api/owners",
  summary: "Make an owner; its name must be new. It may be given any role",
  access: { permission: "OWNER_CREATE", on: "MANAGEMENT" },
  body: OwnerForm,
  responses: answer,
});

const updateSpec = operation({
  ...one,
  id: "updateOwner",
  method: "put",
  summary:
    "Rename an owner, which is found by the new name soon after, and set its roles; those of one's own owner " +
    "only with OWNER_RELATION_MANAGE as well",
  access: { permission: "OWNER_UPDATE", on: "MANAGEMENT" },
  body: OwnerForm,
  responses: answer,
});

const deleteSpec = operation({
  ...one,
  id: "deleteOwner",
  method: "delete",
  summary: "Delete an owner that owns nothing and that no user is bound to",
  access: { permission: "OWNER_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

/** The operations on owners. */
export function ownerRoutes(
  context: Context,
  { authorizer }: Pick<AccessControl, "authorizer"> = openAccess(context),
): Route[] {
  const authorized = { db: context.db, log: context.log, authorizer };
  return [
    serve(listSpec, ({ query }) => service.listOwners(context, query)),
    serve(createSpec, ({ body, actor }) => service.createOwner(context, actor, body)),
    serve(updateSpec, ({ params, body, actor }) => {
      return service.updateOwner(authorized, actor, params.owner_id, body);
    }),
    serve(deleteSpec, ({ params, actor }) => service.deleteOwner(context, actor, params.owner_id)),
  ];
}
