import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { containsPattern, NameInput } from "#contract/catalogue/inputs.ts";
import { Id, type ListQuery, pageWindow } from "#contract/http.ts";
import { boundedArray } from "#contract/bounded.ts";
import { badRequest, conflict, forbidden, notFound } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { personOf } from "#services/api/access/callers/person.ts";
import { readDependants } from "#services/api/dependants.ts";
import { spelled } from "#services/api/spelling.ts";
import * as queries from "#services/api/features/owners/queries.ts";

export { ownerJson } from "#services/api/features/owners/queries.ts";

/** Maximum number of roles of an owner. */
export const maxRoles = 100;

/** Only the id is used; clients may send whole roles as other operations return them. */
const RoleRef = z.object({ id: Id });

/** `roles` absent or null: as they are; a new owner has none then. */
export const OwnerForm = z.object({
  name: NameInput,
  roles: boundedArray(RoleRef, maxRoles).nullish(),
}).openapi("OwnerFormData");
export type OwnerForm = z.output<typeof OwnerForm>;

type Deps = Pick<Context, "db">;
type AuthorizedDeps = Pick<Context, "db" | "log"> & {
  authorizer: Pick<Authorizer, "permissionsOf">;
};

/** `ids`: empty for any. */
export interface OwnersQuery extends ListQuery {
  ids: number[];
  allowedForSync?: boolean;
}

/**
 * One page of owners by name; OwnerList as JSON text. `allowedForSync` selects owners that a user may be
 * bound to without a manager's approval: no user is bound to them, and they have no role but the
 * predefined User, which unbound users have as well. So nobody can gain more than the
 * rights of a plain user by taking over an owner that has roles. `false` selects all others.
 */
export function listOwners({ db }: Deps, params: OwnersQuery): Promise<string> {
  const { query, ids, allowedForSync } = params;
  const filter = {
    pattern: containsPattern(query ?? ""),
    ids: ids.length > 0 ? ids : null,
    free: allowedForSync ?? null,
  };
  return queries.ownerList(db.reads, filter, pageWindow(params));
}

/**
 * Creates an owner; Owner as JSON text. Throws 400 when the name is taken (USR003), and for a role that
 * does not exist.
 */
export function createOwner(context: Deps, actor: Actor, form: OwnerForm): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const id = await queries.insertOwner(tx, form.name);
    if (id === undefined) throw taken(form.name);
    await setRoles(change, id, form);
    return await queries.ownerJson(tx, id);
  });
}

/**
 * Renames an owner, whose entities are found by the new name soon after, and sets its roles, unless the
 * form leaves them out; Owner as JSON text. Throws 404, 400 as `createOwner` does, and 403 to a caller who would change
 * the roles of his own owner without OWNER_RELATION_MANAGE: nobody gives himself a role.
 */
export async function updateOwner(
  { authorizer, ...context }: AuthorizedDeps,
  actor: Caller,
  id: number,
  form: OwnerForm,
): Promise<string> {
  const { name } = form;
  const permissions = await authorizer.permissionsOf(actor);
  const work = async (change: Change) => {
    const { tx } = change;
    const before = await locked(tx, id);
    if (name !== before) await queries.renameOwner(tx, id, name);
    const changed = await setRoles(change, id, form);
    if (changed && !permissions.includes("OWNER_RELATION_MANAGE")) {
      await refuseOwn(tx, actor, id, before);
    }
    return await queries.ownerJson(tx, id);
  };
  return await changing(context, actor, work, { unique: () => taken(name) });
}

/** Throws 404, and 400 (USR004) while the owner owns something or a user is bound to it. */
export async function deleteOwner(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Owner ${id} owns something, or a user is bound to it: end that first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const name = await locked(tx, id);
    const hadRoles = await queries.putRoles(tx, id, []);
    if (hadRoles) change.audit("OWNER_ROLES_CHANGED", `owner ${id} ${name}: deleted`);
    await queries.deleteOwner(tx, id);
  }, { foreignKey: () => readDependants(context.db, inUse, queries.ofOwner, id) });
}

async function refuseOwn(tx: Transaction, actor: Caller, id: number, name: string): Promise<void> {
  const person = personOf(actor);
  if (!person || !await queries.isBoundTo(tx, person, id)) return;
  throw forbidden(
    `Owner ${name} is yours: OWNER_RELATION_MANAGE is needed to change its roles`,
  );
}

/** Whether they were others before. */
async function setRoles(change: Change, id: number, { name, roles }: OwnerForm): Promise<boolean> {
  if (roles == null) return false;
  const { tx } = change;
  const ids = roles.map((role) => role.id);
  const known = await queries.lockRoles(tx, ids);
  const details = ids.flatMap((role, at) =>
    known.has(role) ? [] : [{ field: `roles[${at}].id`, message: `there is no role ${role}` }]
  );
  const first = details[0];
  if (first) throw badRequest(`Invalid body: ${first.field}: ${first.message}`, details);
  if (!await queries.putRoles(tx, id, ids)) return false;
  const names = (await queries.roleNames(tx, id)).join(", ") || "none";
  change.audit("OWNER_ROLES_CHANGED", `owner ${id} ${name}: roles ${names}`);
  return true;
}

async function locked(tx: Transaction, id: number): Promise<string> {
  const name = await queries.lockOwner(tx, id);
  if (name === undefined) throw notFound("Owner", id);
  return name;
}

function taken(name: string) {
  return conflict(`There is already an owner called ${name}`, [
    { field: "name", message: `must not be the name of another owner, ${spelled}` },
  ]);
}

/** Limits of owners. */
export const ownerLimits: Limit[] = [limit("owners", "roles", maxRoles)];
