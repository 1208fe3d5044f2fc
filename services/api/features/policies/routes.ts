import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { pageOf } from "#contract/catalogue/common.ts";
import { listQuery, NameInput } from "#contract/catalogue/inputs.ts";
import { Policy } from "#contract/catalogue/people.ts";
import { Id, idParam } from "#contract/http.ts";
import { StorableText } from "#contract/text.ts";
import { badRequest, conflict, requireFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";
import {
  maxDocument,
  maxPolicies,
  parsePolicy,
  policySchemaText,
} from "#services/api/access/permissions/policy/document.ts";
import { predefined } from "#services/api/access/permissions/roles.ts";
import { dependants, dependantsError } from "#services/api/conflicts.ts";
import { listOfFound, pageByName } from "#services/api/list-json.ts";

const common = {
  tag: "policy",
  activity: { none: "the feed contains changes of entities; changes of policies are audited" },
};
const one = {
  ...common,
  path: "/api/policies/{policy_id}",
  params: z.object({ policy_id: idParam("policy_id") }),
};

export const PolicyList = pageOf("PolicyList", Policy);

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

/** A JSON schema, of draft 2020-12. */
const JsonSchema = z.looseObject({}).openapi("PolicySchema");

const schemaSpec = operation({
  ...common,
  id: "getPolicySchema",
  method: "get",
  path: "/api/policies/schema",
  summary: "JSON schema of policy documents",
  access: "signed-in",
  responses: { 200: { description: "The schema", schema: JsonSchema } },
});

export const PolicyDetails = z.object({
  id: Id,
  name: z.string(),
  policy: z.string().openapi({ description: "The document as it was given" }),
}).openapi("PolicyDetails");

const getSpec = operation({
  ...one,
  id: "getPolicyDetails",
  method: "get",
  summary: "One policy with its document",
  access: "signed-in",
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
});

/** The text of a sound policy document; whatever is wrong with it is named by its place. */
const PolicyText = StorableText
  .max(maxDocument, { error: `must be at most ${maxDocument} characters long`, abort: true })
  .superRefine((text, context) => {
    const parsed = parsePolicy(text);
    if ("document" in parsed) return;
    for (const problem of parsed.problems) context.addIssue({ code: "custom", ...problem });
  }).openapi({ description: "JSON text, as the schema of policies says" });

const PolicyForm = z.object({ name: NameInput, policy: PolicyText })
  .openapi("PolicyFormData");
type PolicyForm = z.output<typeof PolicyForm>;

const createSpec = operation({
  ...common,
  id: "createPolicy",
  method: "post",
  path: "/api/policies",
  summary: "Make a policy; its name must be new",
  access: { permission: "POLICY_CREATE", on: "MANAGEMENT" },
  body: PolicyForm,
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
});

const updateSpec = operation({
  ...one,
  id: "updatePolicy",
  method: "put",
  summary: "Change the name and the document of a policy; takes effect everywhere within a second",
  access: { permission: "POLICY_UPDATE", on: "MANAGEMENT" },
  body: PolicyForm,
  responses: { 200: { description: "The policy", schema: PolicyDetails } },
});

const deleteSpec = operation({
  ...one,
  id: "deletePolicy",
  method: "delete",
  summary: "Delete a policy that no role has",
  access: { permission: "POLICY_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

/** The operations on policies. */
export function policyRoutes(context: Context): Route[] {
  const schema = policySchemaText();
  return [
    serve(listSpec, ({ query }) => pageByName(context.db, list, query)),
    serve(schemaSpec, () => schema),
    serve(getSpec, async ({ params }) => ok(await getPolicy(context, params.policy_id))),
    serve(createSpec, async ({ body, actor }) => ok(await createPolicy(context, actor, body))),
    serve(updateSpec, async ({ params, body, actor }) => {
      return ok(await updatePolicy(context, actor, params.policy_id, body));
    }),
    serve(deleteSpec, ({ params, actor }) => deletePolicy(context, actor, params.policy_id)),
  ];
}

type Deps = Pick<Context, "db">;

const list = statement<JsonRow>("policy-list")`
  WITH found AS (SELECT id, name FROM policy WHERE name ILIKE $1)
  ${listOfFound({ each: "json_named(id, name)", by: "name", window: ["$2", "$3"] })}`;

/** PolicyDetails. */
interface PolicyRow {
  id: number;
  name: string;
  policy: string;
}

const byId = statement<PolicyRow>("policy-by-id")`
  SELECT id, name, document AS policy FROM policy WHERE id = $1`;

/** Throws 404. */
async function getPolicy({ db }: Deps, id: number): Promise<PolicyRow> {
  return requireFound(await db.query(byId, [id]), "Policy", id);
}

const count = statement<{ count: number }>("policy-count")`SELECT count(*) AS count FROM policy`;

/** Throws 400 (USR003) when the name is taken, and 400 when there are too many policies. */
async function createPolicy(context: Deps, actor: Actor, { name, policy }: PolicyForm) {
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    await countAlone(tx, "policies");
    const [counted] = await tx.query(count);
    if (counted!.count >= maxPolicies) {
      throw badRequest(`There are ${maxPolicies} policies: delete one that no role has`);
    }
    const [made] = await tx.query(insert, [name, policy]);
    change.audit("POLICY_CREATED", subjectOf(made!));
    return made;
  }, { unique: () => taken(name) });
}

/**
 * Changes name and document; within a second that holds everywhere. Throws 404, 400 (USR003) when the name is
 * taken, and 400 for the policy that is always there.
 */
async function updatePolicy(
  context: Deps,
  actor: Actor,
  id: number,
  { name, policy }: PolicyForm,
) {
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    await requireOwn(tx, id);
    const [changed] = await tx.query(update, [id, name, policy]);
    change.audit("POLICY_CHANGED", subjectOf(changed!));
    return changed;
  }, { unique: () => taken(name) });
}

/** What keeps a policy from being deleted. */
const havingPolicy = dependants("policy", {
  roles: `
    SELECT r.name FROM role_policy p JOIN role r ON r.id = p.role_id WHERE p.policy_id = $1`,
});

/** Throws 404, 400 (USR004) while a role has it, and 400 for the policy that is always there. */
async function deletePolicy(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Policy ${id} is in use: take it from the roles that have it first`;
  await changing(context, actor, async (change) => {
    const policy = await requireOwn(change.tx, id);
    await change.tx.query(remove, [id]);
    change.audit("POLICY_DELETED", subjectOf(policy));
  }, { foreignKey: () => dependantsError(context.db, inUse, havingPolicy, id) });
}

const lock = statement<PolicyRow>("policy-lock")`
  SELECT id, name, document AS policy FROM policy WHERE id = $1 FOR UPDATE`;

/** Locks a policy that may be changed. Throws 404, and 400 for the one that is always there. */
async function requireOwn(tx: Transaction, id: number): Promise<PolicyRow> {
  const policy = requireFound(await tx.query(lock, [id]), "Policy", id);
  if (policy.name !== predefined.administrator) return policy;
  throw badRequest(
    `The policy ${policy.name} is always there: it can be neither changed nor deleted`,
  );
}

const subjectOf = ({ id, name }: PolicyRow) => `policy ${id} ${name}`;

function taken(name: string) {
  return conflict(`There is already a policy called ${name}`, [
    { field: "name", message: "must not be the name of another policy" },
  ]);
}

const insert = statement<PolicyRow>("policy-insert")`
  INSERT INTO policy (name, document) VALUES ($1, $2) RETURNING id, name, document AS policy`;

const update = statement<PolicyRow>("policy-update")`
  UPDATE policy SET name = $2, document = $3, revision = revision + 1, updated_at = now()
   WHERE id = $1 RETURNING id, name, document AS policy`;

const remove = statement("policy-delete")`DELETE FROM policy WHERE id = $1`;
