import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { containsPattern } from "#contract/catalogue/inputs.ts";
import { Id, type ListQuery, pageWindow } from "#contract/http.ts";
import { boundedArray } from "#contract/bounded.ts";
import { pageOf } from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/forms.ts";
import { Role } from "#contract/catalogue/people.ts";
import { badRequest, conflict, notFound } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/counted.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import { maxRolePolicies, maxRoles } from "#services/api/access/permissions/policy/limits.ts";
import { predefined } from "#services/api/access/permissions/predefined.ts";
import { readDependants } from "#services/api/dependants.ts";
import * as queries from "#services/api/features/roles/queries.ts";

export const RoleList = pageOf("RoleList", Role);

/** Only the id is used; clients may send whole policies as other operations return them. */
const PolicyRef = z.object({ id: Id });

/** `policies`: all that the role has from then on. */
export const RoleForm = z.object({
  name: NameInput,
  policies: boundedArray(PolicyRef, maxRolePolicies),
}).openapi("RoleFormData");
export type RoleForm = z.output<typeof RoleForm>;

type Deps = Pick<Context, "db">;

/** One page of the roles whose name contains `query`; RoleList as JSON text. */
export function listRoles({ db }: Deps, query: ListQuery): Promise<string> {
  return queries.roleList(db, containsPattern(query.query ?? ""), pageWindow(query));
}

/**
 * Role as JSON text. Throws 400 (USR003) when the name is taken, and 400 for an unknown policy and when there
 * are too many roles.
 */
export async function createRole(context: Deps, actor: Actor, form: RoleForm): Promise<string> {
  return await changing(context, actor, async (change) => {
    await countAlone(change.tx, "roles");
    if (await queries.countRoles(change.tx) >= maxRoles) {
      throw badRequest(`There are ${maxRoles} roles: delete one that no owner has`);
    }
    const id = await queries.insertRole(change.tx, form.name);
    await setPolicies(change.tx, id, form);
    change.audit("ROLE_CREATED", subjectOf(id, form.name));
    return await queries.roleJson(change.tx, id);
  }, { unique: () => taken(form.name) });
}

/**
 * Changes name and policies; within a second that holds everywhere. Role as JSON text. Throws 404, 400 (USR003)
 * when the name is taken, and 400 for an unknown policy and for what is always there.
 */
export async function updateRole(
  context: Deps,
  actor: Actor,
  id: number,
  form: RoleForm,
): Promise<string> {
  return await changing(context, actor, async (change) => {
    const name = await lockRole(change.tx, id);
    if (name === predefined.administrator) throw fixed(name, "neither changed nor deleted");
    if (name === predefined.user && form.name !== name) throw fixed(name, "not renamed");
    await queries.renameRole(change.tx, id, form.name);
    await setPolicies(change.tx, id, form);
    change.audit("ROLE_CHANGED", subjectOf(id, form.name));
    return await queries.roleJson(change.tx, id);
  }, { unique: () => taken(form.name) });
}

/** Throws 404, 400 (USR004) while an owner has it, and 400 for the roles that are always there. */
export async function deleteRole(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Role ${id} is in use: take it from the owners who have it first`;
  await changing(context, actor, async (change) => {
    const name = await lockRole(change.tx, id);
    if (name === predefined.administrator || name === predefined.user) {
      throw fixed(name, "not deleted");
    }
    await queries.deleteRole(change.tx, id);
    change.audit("ROLE_DELETED", subjectOf(id, name));
  }, { foreignKey: () => readDependants(context.db, inUse, queries.havingRole, id) });
}

async function lockRole(tx: Transaction, id: number): Promise<string> {
  const name = await queries.lockRole(tx, id);
  if (name === undefined) throw notFound("Role", id);
  return name;
}

async function setPolicies(tx: Transaction, id: number, { policies }: RoleForm): Promise<void> {
  const ids = policies.map((policy) => policy.id);
  const found = await queries.lockPoliciesById(tx, ids);
  const unknown = ids.findIndex((one) => !found.has(one));
  if (unknown >= 0) {
    const message = `there is no policy ${ids[unknown]}`;
    throw badRequest(`Invalid body: policies[${unknown}]: ${message}`, [
      { field: `policies[${unknown}].id`, message },
    ]);
  }
  await queries.setPolicies(tx, id, [...found]);
}

const subjectOf = (id: number, name: string) => `role ${id} ${name}`;

function fixed(name: string, cannot: string) {
  return badRequest(`The role ${name} is always there: it can be ${cannot}`);
}

function taken(name: string) {
  return conflict(`There is already a role called ${name}`, [
    { field: "name", message: "must not be the name of another role" },
  ]);
}
