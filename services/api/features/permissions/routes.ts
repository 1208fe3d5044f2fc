import { z } from "@hono/zod-openapi";
import { Permission } from "#contract/catalogue/people.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { resourceTypes } from "#services/api/access/permissions/policy/document.ts";
import { openAccess } from "#services/api/access/service.ts";
import { permissionsOn } from "#services/api/features/permissions/service.ts";

const PermissionList = z.array(Permission).openapi("PermissionList");

const type = z.enum(resourceTypes, { error: `must be one of ${resourceTypes.join(", ")}` })
  .openapi("PermissionResourceType", {
    param: { name: "permission_resource_type", in: "path", required: true },
  });

const listSpec = operation({
  id: "getResourcePermissions",
  method: "get",
  path: "/api/resource/{permission_resource_type}/{resource_id}/permissions",
  tag: "permission",
  document: "platform",
  summary: "Permissions of the caller on a resource; for MANAGEMENT see whoami",
  access: "signed-in",
  params: z.object({ permission_resource_type: type, resource_id: idParam("resource_id") }),
  responses: { 200: { description: "The permissions", schema: PermissionList } },
  errors: [404],
});

/** The operation on permissions. */
export function permissionRoutes(
  context: Context,
  authorizer: Authorizer = openAccess(context).authorizer,
): Route[] {
  const { db } = context;
  return [
    serve(listSpec, async ({ params, actor }) => {
      const { permission_resource_type, resource_id } = params;
      const deps = { db, authorizer };
      return ok(await permissionsOn(deps, actor, permission_resource_type, resource_id));
    }),
  ];
}
