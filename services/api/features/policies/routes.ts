import { z } from "@hono/zod-openapi";
import { listQuery } from "#contract/catalogue/inputs.ts";
import { idParam } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { noContent, ok, okJson } from "#platform/operations/reply.ts";
import { policySchemaText } from "#services/api/access/permissions/policy/document.ts";
import {
  JsonSchema,
  PolicyDetails,
  PolicyForm,
  PolicyList,
} from "#services/api/features/policies/service.ts";
import * as service from "#services/api/features/policies/service.ts";

const common = { tag: "policy", document: "platform" as const };
const one = "/api/policies/{policy_id}";
const params = z.object({ policy_id: idParam("policy_id") });
const activity = { none: "the feed contains changes of entities; changes of policies are audited" };

const listSpec = operation({
  ...common,
  id: "getPolicyList",
  method: "get",
  path: "/api/policies",
  summary: "Policies by name",
  access: "signed-in",
  query: listQuery("Part of a name, in any case"),
  responses: { 200: { description: "One page", schema: PolicyList } },
});

const schemaSpec = operation({
  ...common,
  id: "getPolicySchema",
  method: "get",
  path: "/api/policies/schema",
  summary: "JSON schema of policy documents",
  access: "signed-in",
  responses: { 200: { description: "The schema", schema: JsonSchema } },
});

const getSpec = operation({
  ...common,
  id: "getPolicyDetails",
  method: "get",
  path: one,
  summary: "One policy with its document",
  access: "signed-in",
  params,
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
  errors: [404],
});

const createSpec = operation({
  ...common,
  id: "createPolicy",
  method: "post",
  path: "/api/policies",
  summary: "Make a policy; its name must be new",
  access: { permission: "POLICY_CREATE", on: "MANAGEMENT" },
  activity,
  body: PolicyForm,
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
});

const updateSpec = operation({
  ...common,
  id: "updatePolicy",
  method: "put",
  path: one,
  summary: "Change the name and the document of a policy; takes effect everywhere within a second",
  access: { permission: "POLICY_UPDATE", on: "MANAGEMENT" },
  activity,
  params,
  body: PolicyForm,
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
  errors: [404],
});

const deleteSpec = operation({
  ...common,
  id: "deletePolicy",
  method: "delete",
  path: one,
  summary: "Delete a policy that no role has",
  access: { permission: "POLICY_DELETE", on: "MANAGEMENT" },
  activity,
  params,
  responses: { 204: { description: "Deleted" } },
  errors: [404],
});

/** The operations on policies. */
export function policyRoutes(context: Context): Route[] {
  const schema = policySchemaText();
  return [
    serve(listSpec, async ({ query }) => okJson(await service.listPolicies(context, query))),
    serve(schemaSpec, () => Promise.resolve(okJson(schema))),
    serve(getSpec, async ({ params }) => ok(await service.getPolicy(context, params.policy_id))),
    serve(
      createSpec,
      async ({ body, actor }) => ok(await service.createPolicy(context, actor, body)),
    ),
    serve(
      updateSpec,
      async ({ params, body, actor }) =>
        ok(await service.updatePolicy(context, actor, params.policy_id, body)),
    ),
    serve(deleteSpec, async ({ params, actor }) => {
      await service.deletePolicy(context, actor, params.policy_id);
      return noContent();
    }),
  ];
}
