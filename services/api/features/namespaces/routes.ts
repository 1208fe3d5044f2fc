import { z } from "@hono/zod-openapi";
import { Namespace, NamespaceList } from "#contract/catalogue/common.ts";
import { listQuery, NamespaceForm, NamespaceUpdateForm } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, ok, okJson } from "#platform/operations/reply.ts";
import * as service from "#services/api/features/namespaces/service.ts";

const common = { tag: "namespace", document: "platform" as const };
const one = "/api/namespaces/{namespace_id}";
const params = z.object({ namespace_id: idParam("namespace_id") });
const activity = { none: "the feed contains changes of entities; a namespace is not one" };

const listSpec = operation({
  ...common,
  id: "getNamespaceList",
  method: "get",
  path: "/api/namespaces",
  summary: "Namespaces by name",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: NamespaceList } },
});

const createSpec = operation({
  ...common,
  id: "createNamespace",
  method: "post",
  path: "/api/namespaces",
  summary: "Make a namespace; its name must be new",
  access: { permission: "NAMESPACE_CREATE", on: "MANAGEMENT" },
  activity,
  body: NamespaceForm,
  responses: { 200: { description: "The namespace", schema: Namespace } },
});

const getSpec = operation({
  ...common,
  id: "getNamespaceDetails",
  method: "get",
  path: one,
  summary: "One namespace",
  access: "signed-in",
  params,
  responses: { 200: { description: "The namespace", schema: Namespace } },
  errors: [404],
});

const updateSpec = operation({
  ...common,
  id: "updateNamespace",
  method: "put",
  path: one,
  summary:
    "Rename a namespace whose terms are not mentioned in any text; its terms are found by the new name soon after",
  access: { permission: "NAMESPACE_UPDATE", on: "MANAGEMENT" },
  activity,
  params,
  body: NamespaceUpdateForm,
  responses: { 200: { description: "The namespace", schema: Namespace } },
  errors: [404],
});

const deleteSpec = operation({
  ...common,
  id: "deleteNamespace",
  method: "delete",
  path: one,
  summary: "Delete a namespace that nothing is in",
  access: { permission: "NAMESPACE_DELETE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
  errors: [404],
});

/** The operations on namespaces. */
export function namespaceRoutes(context: Context): Route[] {
  return [
    serve(listSpec, async ({ query }) => okJson(await service.listNamespaces(context, query))),
    serve(
      createSpec,
      async ({ body, actor }) => ok(await service.createNamespace(context, actor, body.name)),
    ),
    serve(
      getSpec,
      async ({ params }) => ok(await service.getNamespace(context, params.namespace_id)),
    ),
    serve(
      updateSpec,
      async ({ params, body, actor }) =>
        ok(await service.renameNamespace(context, actor, params.namespace_id, body.name)),
    ),
    serve(deleteSpec, async ({ params, actor }) => {
      await service.deleteNamespace(context, actor, params.namespace_id);
      return noContent();
    }),
  ];
}
