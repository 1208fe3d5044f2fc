import { z } from "@hono/zod-openapi";
import { requiredTextQuery } from "#contract/catalogue/inputs.ts";
import { Permission, UserPermissions, Whoami } from "#contract/catalogue/people.ts";
import { enumQuery, idParam, idQuery, textQuery } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import { resourceTypes } from "#services/api/access/permissions/policy/document.ts";
import { openAccess } from "#services/api/access/service.ts";
import * as service from "#services/api/features/identity/service.ts";

const AppInfo = z.object({
  projectVersion: z.string().openapi({ description: "Version of this product" }),
  contractVersion: z.string().openapi({
    description: "Version of the published interface that is served, for clients that branch on it",
  }),
  authType: z.enum(["DISABLED", "LOGIN_FORM", "OAUTH2", "LDAP"]),
}).openapi("AppInfo");
const FeatureList = z.object({ items: z.array(z.enum(service.featureNames).openapi("Feature")) })
  .openapi("FeatureList");

const common = {
  method: "get" as const,
  access: "signed-in" as const,
};

const whoamiSpec = operation({
  ...common,
  id: "whoami",
  tag: "identity",
  path: "/api/identity/whoami",
  summary: "The caller, with the permissions that do not depend on a resource",
  responses: { 200: { description: "The actor", schema: Whoami } },
});

const ofUserSpec = operation({
  ...common,
  id: "getUserPermissions",
  tag: "identity",
  path: "/api/identity/permissions",
  summary:
    "What a user may do, everywhere or with a resource: how the catalogue looks to that user",
  access: { permission: "OWNER_RELATION_MANAGE", on: "MANAGEMENT" },
  query: z.object({
    username: requiredTextQuery("username"),
    provider: textQuery("provider"),
    resource_type: enumQuery("resource_type", ["DATA_ENTITY", "TERM", "QUERY_EXAMPLE"]),
    resource_id: idQuery("resource_id"),
  }),
  responses: { 200: { description: "The permissions", schema: UserPermissions } },
  errors: [404],
});

const appInfoSpec = operation({
  ...common,
  id: "getAppInfo",
  tag: "appInfo",
  path: "/api/appInfo",
  summary: "The version that runs, that of the interface it serves, and how callers sign in",
  responses: { 200: { description: "The application", schema: AppInfo } },
});

const featuresSpec = operation({
  ...common,
  id: "getActiveFeatures",
  tag: "feature",
  path: "/api/features/active",
  summary: "The optional features that are switched on",
  responses: { 200: { description: "The features", schema: FeatureList } },
});

const PermissionList = z.array(Permission).openapi("PermissionList");

const resourceType = z.enum(resourceTypes, { error: `must be one of ${resourceTypes.join(", ")}` })
  .openapi("PermissionResourceType", {
    param: { name: "permission_resource_type", in: "path", required: true },
  });

const onResourceSpec = operation({
  ...common,
  id: "getResourcePermissions",
  tag: "permission",
  path: "/api/resource/{permission_resource_type}/{resource_id}/permissions",
  summary: "Permissions of the caller on a resource; for MANAGEMENT see whoami",
  params: z.object({ permission_resource_type: resourceType, resource_id: idParam("resource_id") }),
  responses: { 200: { description: "The permissions", schema: PermissionList } },
});

/** The operations about the caller, permissions and the application. */
export function identityRoutes(
  context: Context,
  authorizer: Authorizer = openAccess(context).authorizer,
): Route[] {
  const { db } = context;
  return [
    serve(whoamiSpec, async ({ actor }) => ok(await service.whoami({ db, authorizer }, actor))),
    serve(ofUserSpec, async ({ query }) => {
      return ok(await service.permissionsOfUser({ db, authorizer }, query));
    }),
    serve(appInfoSpec, () => ok(service.appInfo(context))),
    serve(onResourceSpec, async ({ params, actor }) => {
      const { permission_resource_type: type, resource_id: id } = params;
      return ok(await service.permissionsOn({ db, authorizer }, actor, type, id));
    }),
    serve(featuresSpec, () => ok(service.activeFeatures(context))),
  ];
}

const Link = z.object({ title: z.string(), url: z.string() }).openapi("Link");
const LinkList = z.object({ items: z.array(Link) }).openapi("LinkList");

const linksSpec = operation({
  ...common,
  id: "getLinks",
  tag: "links",
  path: "/api/links",
  summary: "Links to other places that the operator has configured (`catalog.links`)",
  responses: { 200: { description: "All of them, in their order", schema: LinkList } },
});

/** The links of the configuration. */
export function linkRoutes({ config }: Pick<Context, "config">): Route[] {
  return [serve(linksSpec, () => ok({ items: config.catalog.links }))];
}
