import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { boundedArray } from "#contract/bounded.ts";
import { pageOf } from "#contract/catalogue/common.ts";
import { listQuery, NameInput } from "#contract/catalogue/inputs.ts";
import { Role } from "#contract/catalogue/people.ts";
import { Id, idParam } from "#contract/http.ts";
import { badRequest, conflict, requireFound, requireKnown } from "#kit/errors.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import { countAlone } from "#metadata/catalogue/entities.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { maxRolePolicies, maxRoles } from "#services/api/access/permissions/policy/document.ts";
import { predefined } from "#services/api/access/permissions/roles.ts";
import { dependants, dependantsError } from "#services/api/conflicts.ts";
import { listOfFound, pageByName } from "#services/api/list-json.ts";

const common = {
  tag: "role",
  activity: { none: "the feed contains changes of entities; changes of roles are audited" },
};
const one = {
  ...common,
  path: "/api/roles/{role_id}",
  params: z.object({ role_id: idParam("role_id") }),
};

export const RoleList = pageOf("RoleList", Role);

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

/** Only the id is used; clients may send whole policies as other operations return them. */
const PolicyRef = z.object({ id: Id });

/** `policies`: all that the role has from then on. */
const RoleForm = z.object({
  name: NameInput,
  policies: boundedArray(PolicyRef, maxRolePolicies),
}).openapi("RoleFormData");
type RoleForm = z.output<typeof RoleForm>;

const createSpec = operation({
  ...common,
  id: "createRole",
  method: "post",
  path: "/api/roles",
  summary: "Make a role; its name must be new",
  access: { permission: "ROLE_CREATE", on: "MANAGEMENT" },
  body: RoleForm,
  responses: { 200: { description: "The role", schema: Role } },
});

const updateSpec = operation({
  ...one,
  id: "updateRole",
  method: "put",
  summary: "Change the name and the policies of a role; takes effect everywhere within a second",
  access: { permission: "ROLE_UPDATE", on: "MANAGEMENT" },
  body: RoleForm,
  responses: { 200: { description: "The role", schema: Role } },
});

const deleteSpec = operation({
  ...one,
  id: "deleteRole",
  method: "delete",
  summary: "Delete a role that no owner has",
  access: { permission: "ROLE_DELETE", on: "MANAGEMENT" },
  responses: { 204: { description: "Deleted" } },
});

/** The operations on roles. */
export function roleRoutes(context: Context): Route[] {
  return [
    serve(listSpec, ({ query }) => pageByName(context.db, list, query)),
    serve(createSpec, ({ body, actor }) => createRole(context, actor, body)),
    serve(updateSpec, ({ params, body, actor }) => {
      return updateRole(context, actor, params.role_id, body);
    }),
    serve(deleteSpec, ({ params, actor }) => deleteRole(context, actor, params.role_id)),
  ];
}

type Deps = Pick<Context, "db">;

const list = statement<JsonRow>("role-list")`
  WITH found AS (SELECT r FROM role r WHERE r.name ILIKE $1)
  ${listOfFound({ each: "json_role(r)", by: "(r).name", window: ["$2", "$3"] })}`;

const count = statement<{ count: number }>("role-count")`SELECT count(*) AS count FROM role`;

/**
 * Role as JSON text. Throws 400 (USR003) when the name is taken, and 400 for an unknown policy and when there
 * are too many roles.
 */
async function createRole(context: Deps, actor: Actor, form: RoleForm): Promise<string> {
  return await changing(context, actor, async (change) => {
    const { tx } = change;
    await countAlone(tx, "roles");
    const [counted] = await tx.query(count);
    if (counted!.count >= maxRoles) {
      throw badRequest(`There are ${maxRoles} roles: delete one that no owner has`);
    }
    const { id } = (await tx.query(insert, [form.name]))[0]!;
    await setPolicies(tx, id, form);
    change.audit("ROLE_CREATED", subjectOf(id, form.name));
    return await roleJson(tx, id);
  }, { unique: () => taken(form.name) });
}

/**
 * Changes name and policies; within a second that holds everywhere. Role as JSON text. Throws 404, 400 (USR003)
 * when the name is taken, and 400 for an unknown policy and for what is always there.
 */
async function updateRole(
  context: Deps,
  actor: Actor,
  id: number,
  form: RoleForm,
): Promise<string> {
  return await changing(context, actor, async (change) => {
    const name = await lockRole(change.tx, id);
    if (name === predefined.administrator) throw fixed(name, "neither changed nor deleted");
    if (name === predefined.user && form.name !== name) throw fixed(name, "not renamed");
    await change.tx.query(rename, [id, form.name]);
    await setPolicies(change.tx, id, form);
    change.audit("ROLE_CHANGED", subjectOf(id, form.name));
    return await roleJson(change.tx, id);
  }, { unique: () => taken(form.name) });
}

/** What keeps a role from being deleted. */
const havingRole = dependants("role", {
  owners: `
    SELECT o.name FROM owner_role r JOIN owner o ON o.id = r.owner_id WHERE r.role_id = $1`,
});

/** Throws 404, 400 (USR004) while an owner has it, and 400 for the roles that are always there. */
async function deleteRole(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Role ${id} is in use: take it from the owners who have it first`;
  await changing(context, actor, async (change) => {
    const name = await lockRole(change.tx, id);
    if (name === predefined.administrator || name === predefined.user) {
      throw fixed(name, "not deleted");
    }
    await change.tx.query(remove, [id]);
    change.audit("ROLE_DELETED", subjectOf(id, name));
  }, { foreignKey: () => dependantsError(context.db, inUse, havingRole, id) });
}

const lock = statement<{ name: string }>("role-lock")`
  SELECT name FROM role WHERE id = $1 FOR UPDATE`;

/** The name of a role, which is locked against other changes. Throws 404. */
async function lockRole(tx: Transaction, id: number): Promise<string> {
  const role = requireFound(await tx.query(lock, [id]), "Role", id);
  return role.name;
}

const lockPolicies = statement<{ id: number }>("role-policies-lock")`
  SELECT id FROM policy WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`;

const replacePolicies = statement("role-policies-set")`
  WITH gone AS (DELETE FROM role_policy WHERE role_id = $1 AND NOT policy_id = ANY($2))
  INSERT INTO role_policy (role_id, policy_id) SELECT $1, unnest($2::bigint[])
  ON CONFLICT DO NOTHING`;

/** Gives a role exactly these policies, which stay while the transaction runs. Throws 400 for an unknown one. */
async function setPolicies(tx: Transaction, id: number, { policies }: RoleForm): Promise<void> {
  const ids = policies.map((policy) => policy.id);
  const found = new Set((await tx.query(lockPolicies, [ids])).map((policy) => policy.id));
  requireKnown("policies", "policy", ids, found);
  await tx.query(replacePolicies, [id, [...found]]);
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

const asJson = statement<JsonRow>("role-json")`
  SELECT json_role(r)::text AS json FROM role r WHERE r.id = $1`;

/** Role as JSON text. */
async function roleJson(tx: Transaction, id: number): Promise<string> {
  return (await tx.query(asJson, [id]))[0]!.json;
}

const insert = statement<{ id: number }>("role-insert")`
  INSERT INTO role (name) VALUES ($1) RETURNING id`;

const rename = statement("role-rename")`
  UPDATE role SET name = $2, updated_at = now() WHERE id = $1`;

const remove = statement("role-delete")`DELETE FROM role WHERE id = $1`;
