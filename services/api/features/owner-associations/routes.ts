import { z } from "@hono/zod-openapi";
import { requiredEnumQuery, searchQuery } from "#contract/catalogue/inputs.ts";
import { Owner, OwnerAssociationRequest } from "#contract/catalogue/people.ts";
import { idParam, pageQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { type Access, openAccess } from "#services/api/access/service.ts";
import * as schemas from "#services/api/features/owner-associations/schemas.ts";
import * as service from "#services/api/features/owner-associations/service.ts";

const common = {
  tag: "ownerAssociationRequest",
  path: "/api/owner_association_request",
  activity: { none: "the feed contains changes of entities; requests have their own history" },
};
const answers = { permission: "OWNER_ASSOCIATION_MANAGE", on: "MANAGEMENT" } as const;
const binds = { permission: "OWNER_RELATION_MANAGE", on: "MANAGEMENT" } as const;

const query = z.object({
  ...pageQuery,
  query: searchQuery("query", "Part of the name of a user or an owner, in any case"),
  status: requiredEnumQuery("status", [...service.requestStatuses]),
});

const listSpec = operation({
  ...common,
  id: "getOwnerAssociationRequestList",
  method: "get",
  summary:
    "Requests of users to be bound to an owner, newest first; RESOLVED: approved or declined",
  access: answers,
  query,
  responses: { 200: { description: "One page", schema: schemas.OwnerAssociationRequestList } },
});

const createSpec = operation({
  ...common,
  id: "createOwnerAssociationRequest",
  method: "post",
  summary:
    "Request to be bound to an owner, which is created if missing; a user with DIRECT_OWNER_SYNC is bound immediately, if that " +
    "brings roles or rights only with OWNER_RELATION_MANAGE as well",
  access: "signed-in",
  body: schemas.OwnerRequestForm,
  responses: { 200: { description: "The request", schema: OwnerAssociationRequest } },
});

const answerSpec = operation({
  ...common,
  id: "updateOwnerAssociationRequest",
  method: "put",
  path: `${common.path}/{owner_association_request_id}`,
  summary: "Approve or decline a request; approval declines others of that user or for that owner",
  access: answers,
  params: z.object({ owner_association_request_id: idParam("owner_association_request_id") }),
  body: schemas.AnswerForm,
  responses: { 200: { description: "The request", schema: OwnerAssociationRequest } },
});

const eventsSpec = operation({
  ...common,
  id: "getOwnerAssociationRequestActivityList",
  method: "get",
  path: `${common.path}/activity`,
  summary: "What happened to requests, newest first, by the status that it left them",
  access: answers,
  query,
  responses: {
    200: { description: "One page", schema: schemas.OwnerAssociationRequestActivityList },
  },
});

const bindSpec = operation({
  ...common,
  id: "createUserOwnerMapping",
  method: "post",
  path: "/api/owners/mapping",
  summary:
    "Bind a user to an owner, whatever either was bound to; answers the requests that this decides",
  access: binds,
  body: schemas.MappingForm,
  responses: { 200: { description: "The owner", schema: Owner } },
  errors: [404],
});

const unbindSpec = operation({
  ...common,
  id: "deleteActiveUserOwnerMapping",
  method: "delete",
  path: "/api/owners/mapping/{owner_id}",
  summary: "End the binding of an owner to its user",
  access: binds,
  params: z.object({ owner_id: idParam("owner_id") }),
  responses: { 204: { description: "Ended" } },
});

const providersSpec = operation({
  ...common,
  id: "getAuthProviders",
  method: "get",
  path: "/api/owners/providers",
  summary: "Names of identity providers, for binding a user that one of them knows",
  access: "signed-in",
  responses: { 200: { description: "The names", schema: schemas.ProviderList } },
});

/** The operations by which users are bound to owners. */
export function ownerAssociationRoutes(
  context: Context,
  { authorizer, providers }: Pick<Access, "authorizer" | "providers"> = openAccess(context),
): Route[] {
  const { db, log, config } = context;
  const authorized = { db, log, config, authorizer };
  return [
    serve(listSpec, ({ query }) => service.listRequests(context, query)),
    serve(createSpec, ({ body, actor }) => service.requestOwner(authorized, actor, body.name)),
    serve(eventsSpec, ({ query }) => service.listEvents(context, query)),
    serve(answerSpec, ({ params: { owner_association_request_id: id }, body, actor }) => {
      return service.answer(authorized, actor, id, body.status);
    }),
    serve(bindSpec, ({ body, actor }) => service.bindUser(context, actor, body)),
    serve(unbindSpec, ({ params, actor }) => service.unbindUser(context, actor, params.owner_id)),
    serve(providersSpec, () => ok(service.listProviders(context, providers))),
  ];
}
