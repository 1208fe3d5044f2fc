import { z } from "@hono/zod-openapi";
import { listQuery } from "#contract/catalogue/inputs.ts";
import { Role } from "#contract/catalogue/people.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, okJson } from "#platform/operations/reply.ts";
import { RoleForm, RoleList } from "#services/api/features/roles/service.ts";
import * as service from "#services/api/features/roles/service.ts";

const common = { tag: "role", document: "platform" as const };
const one = "/api/roles/{role_id}";
const params = z.object({ role_id: idParam("role_id") });
const activity = { none: "the feed contains changes of entities; changes of roles are audited" };

const listSpec = operation({
  ...common,
  id: "getRolesList",
  method: "get",
  path: "/api/roles",
  summary: "Roles by name, each with its policies",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: RoleList } },
});

const createSpec = operation({
  ...common,
  id: "createRole",
  method: "post",
  path: "/api/roles",
  summary: "Make a role; its name must be new",
  access: { permission: "ROLE_CREATE", on: "MANAGEMENT" },
  activity,
  body: RoleForm,
  responses: { 200: { description: "The role", schema: Role } },
});

const updateSpec = operation({
  ...common,
  id: "updateRole",
  method: "put",
  path: one,
  summary: "Change the name and the policies of a role; takes effect everywhere within a second",
  access: { permission: "ROLE_UPDATE", on: "MANAGEMENT" },
  activity,
  params,
  body: RoleForm,
  responses: { 200: { description: "The role", schema: Role } },
  errors: [404],
});

const deleteSpec = operation({
  ...common,
  id: "deleteRole",
  method: "delete",
  path: one,
  summary: "Delete a role that no owner has",
  access: { permission: "ROLE_DELETE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
  errors: [404],
});

/** The operations on roles. */
export function roleRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async ({ query }) => okJson(await service.listRoles(context, query))),
    serve(
      createSpec,
      async ({ body, actor }) => okJson(await service.createRole(context, actor, body)),
    ),
    serve(
      updateSpec,
      async ({ params, body, actor }) =>
        okJson(await service.updateRole(context, actor, params.role_id, body)),
    ),
    serve(deleteSpec, async ({ params, actor }) => {
      await service.deleteRole(context, actor, params.role_id);
      return noContent();
    }),
  ];
}
