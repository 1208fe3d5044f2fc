import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { type ListQuery, pageWindow } from "#contract/http.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/counted.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { maxPolicies } from "#services/api/access/permissions/policy/limits.ts";
import { predefined } from "#services/api/access/permissions/predefined.ts";
import { readDependants } from "#services/api/dependants.ts";
import * as queries from "#services/api/features/policies/queries.ts";
import type { PolicyForm } from "#services/api/features/policies/schemas.ts";

type Deps = Pick<Context, "db">;

/** One page of the policies whose name contains `query`; PolicyList as JSON text. */
export function listPolicies({ db }: Deps, query: ListQuery): Promise<string> {
  return queries.policyList(db, containsPattern(query.query ?? ""), pageWindow(query));
}

/** Throws 404. */
export async function getPolicy({ db }: Deps, id: number): Promise<queries.PolicyRow> {
  const found = await queries.policyById(db, id);
  if (!found) throw notFound("Policy", id);
  return found;
}

/** Throws 400 (USR003) when the name is taken, and 400 when there are too many policies. */
export async function createPolicy(
  context: Deps,
  actor: Actor,
  form: PolicyForm,
): Promise<queries.PolicyRow> {
  return await changing(context, actor, async (change) => {
    await countAlone(change.tx, "policies");
    if (await queries.countPolicies(change.tx) >= maxPolicies) {
      throw badRequest(`There are ${maxPolicies} policies: delete one that no role has`);
    }
    const made = await queries.insertPolicy(change.tx, form);
    change.audit("POLICY_CREATED", subjectOf(made));
    return made;
  }, { unique: () => taken(form.name) });
}

/**
 * Changes name and document; within a second that holds everywhere. Throws 404, 400 (USR003) when the name is
 * taken, and 400 for the policy that is always there.
 */
export async function updatePolicy(
  context: Deps,
  actor: Actor,
  id: number,
  form: PolicyForm,
): Promise<queries.PolicyRow> {
  return await changing(context, actor, async (change) => {
    await requireOwn(change.tx, id);
    const changed = await queries.updatePolicy(change.tx, id, form);
    change.audit("POLICY_CHANGED", subjectOf(changed));
    return changed;
  }, { unique: () => taken(form.name) });
}

/** Throws 404, 400 (USR004) while a role has it, and 400 for the policy that is always there. */
export async function deletePolicy(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Policy ${id} is in use: take it from the roles that have it first`;
  await changing(context, actor, async (change) => {
    const policy = await requireOwn(change.tx, id);
    await queries.deletePolicy(change.tx, id);
    change.audit("POLICY_DELETED", subjectOf(policy));
  }, { foreignKey: () => readDependants(context.db, inUse, queries.havingPolicy, id) });
}

/** Locks a policy that may be changed. */
async function requireOwn(tx: Transaction, id: number): Promise<queries.PolicyRow> {
  const policy = await queries.lockPolicy(tx, id);
  if (!policy) throw notFound("Policy", id);
  if (policy.name !== predefined.administrator) return policy;
  throw badRequest(
    `The policy ${policy.name} is always there: it can be neither changed nor deleted`,
  );
}

const subjectOf = ({ id, name }: queries.PolicyRow) => `policy ${id} ${name}`;

function taken(name: string) {
  return conflict(`There is already a policy called ${name}`, [
    { field: "name", message: "must not be the name of another policy" },
  ]);
}
