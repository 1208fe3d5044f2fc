import { z } from "@hono/zod-openapi";
import type { Actor } from "#contract/actor.ts";
import { containsPattern, NameInput } from "#contract/catalogue/inputs.ts";
import { Id, type ListQuery, pageWindow } from "#contract/http.ts";
import { boundedArray } from "#contract/bounded.ts";
import { conflict, forbidden, requireFound, requireKnown } from "#kit/errors.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { type Change, changing } from "#metadata/catalogue/changing.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { personOf } from "#services/api/access/callers/person.ts";
import { dependants, dependantsError, spelled } from "#services/api/conflicts.ts";
import { listOfFound } from "#services/api/list-json.ts";

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
interface OwnersQuery extends ListQuery {
  ids: number[];
  allowedForSync?: boolean;
}

/**
 * One page of owners by name; OwnerList as JSON text. `allowedForSync` selects owners that a user may be
 * bound to without a manager's approval: no user is bound to them, and they have no role but the
 * predefined User, which unbound users have as well. So nobody can gain more than the
 * rights of a plain user by taking over an owner that has roles. `false` selects all others.
 */
export async function listOwners({ db }: Deps, params: OwnersQuery): Promise<string> {
  const { query = "", ids, allowedForSync: free = null } = params;
  const { limit, offset } = pageWindow(params);
  const values = [containsPattern(query), ids.length > 0 ? ids : null, free, limit, offset];
  return (await db.reads.query(list, values))[0]!.json;
}

/**
 * Creates an owner; Owner as JSON text. Throws 400 when the name is taken (USR003), and for a role that
 * does not exist.
 */
export function createOwner(context: Deps, actor: Actor, form: OwnerForm): Promise<string> {
  return changing(context, actor, async (change) => {
    const { tx } = change;
    const [made] = await tx.query(insert, [form.name]);
    if (!made) throw taken(form.name);
    await setRoles(change, made.id, form);
    return await ownerJson(tx, made.id);
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
    const before = await lockOwner(tx, id);
    if (name !== before) await tx.query(rename, [id, name]);
    const changed = await setRoles(change, id, form);
    if (changed && !permissions.includes("OWNER_RELATION_MANAGE")) {
      await refuseOwn(tx, actor, id, before);
    }
    return await ownerJson(tx, id);
  };
  return await changing(context, actor, work, { unique: () => taken(name) });
}

/** Throws 404, and 400 (USR004) while the owner owns something or a user is bound to it. */
export async function deleteOwner(context: Deps, actor: Actor, id: number): Promise<void> {
  const inUse = `Owner ${id} owns something, or a user is bound to it: end that first`;
  await changing(context, actor, async (change) => {
    const { tx } = change;
    const name = await lockOwner(tx, id);
    const hadRoles = await putRoles(tx, id, []);
    if (hadRoles) change.audit("OWNER_ROLES_CHANGED", `owner ${id} ${name}: deleted`);
    await tx.query(remove, [id]);
  }, { foreignKey: () => dependantsError(context.db, inUse, ofOwner, id) });
}

async function refuseOwn(tx: Transaction, actor: Caller, id: number, name: string): Promise<void> {
  const person = personOf(actor);
  if (!person) return;
  const own = await tx.query(bound, [person.username, person.provider, id]);
  if (own.length === 0) return;
  throw forbidden(`Owner ${name} is yours: OWNER_RELATION_MANAGE is needed to change its roles`);
}

/** Whether they were others before. */
async function setRoles(change: Change, id: number, { name, roles }: OwnerForm): Promise<boolean> {
  if (roles == null) return false;
  const { tx } = change;
  const ids = roles.map((role) => role.id);
  const known = new Set((await tx.query(lockRoles, [ids])).map((role) => role.id));
  requireKnown("roles", "role", ids, known);
  if (!await putRoles(tx, id, ids)) return false;
  const names = (await tx.query(roleNames, [id])).map((role) => role.name).join(", ");
  change.audit("OWNER_ROLES_CHANGED", `owner ${id} ${name}: roles ${names || "none"}`);
  return true;
}

function taken(name: string) {
  return conflict(`There is already an owner called ${name}`, [
    { field: "name", message: `must not be the name of another owner, ${spelled}` },
  ]);
}

/** Limits of owners. */
export const ownerLimits: Limit[] = [limit("owners", "roles", maxRoles)];

const list = statement<JsonRow>("owner-list")`
  WITH found AS (
    SELECT o FROM owner o
     WHERE o.name ILIKE $1 AND ($2::bigint[] IS NULL OR o.id = ANY ($2::bigint[]))
       AND ($3::boolean IS NULL OR owner_is_free(o.id) = $3))
  ${listOfFound({ each: "json_owner(o)", by: "(o).name", window: ["$4", "$5"] })}`;

const asJson = statement<JsonRow>("owner-json")`
  SELECT json_owner(o)::text AS json FROM owner o WHERE o.id = $1`;

/** Owner as JSON text. */
export async function ownerJson(db: Queryable, id: number): Promise<string> {
  return (await db.query(asJson, [id]))[0]!.json;
}

/** No row when the name, in any spelling, is taken. */
const insert = statement<{ id: number }>("owner-insert")`
  INSERT INTO owner (name, folded)
  SELECT $1::text, k.key FROM (SELECT name_key($1::text)) AS k (key)
   WHERE NOT EXISTS (SELECT FROM owner o WHERE o.folded = k.key)
  ON CONFLICT DO NOTHING RETURNING id`;

const lock = statement<{ name: string }>("owner-lock")`
  SELECT name FROM owner WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks an owner; its name. Throws 404. */
async function lockOwner(tx: Transaction, id: number): Promise<string> {
  const owner = requireFound(await tx.query(lock, [id]), "Owner", id);
  return owner.name;
}

const rename = statement("owner-rename")`
  UPDATE owner SET name = $2, updated_at = now() WHERE id = $1`;

/** Those of the roles that exist; nobody can delete them until the transaction ends. */
const lockRoles = statement<{ id: number }>("owner-hold-roles")`
  SELECT id FROM role WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE`;

const dropRoles = statement("owner-drop-roles")`
  DELETE FROM owner_role WHERE owner_id = $1 AND role_id <> ALL($2::bigint[]) RETURNING role_id`;

const addRoles = statement("owner-add-roles")`
  INSERT INTO owner_role (owner_id, role_id) SELECT $1, unnest($2::bigint[])
  ON CONFLICT DO NOTHING RETURNING role_id`;

/** Makes these the roles of a locked owner; returns whether they were others before. */
async function putRoles(tx: Transaction, id: number, roles: number[]): Promise<boolean> {
  const gone = await tx.query(dropRoles, [id, roles]);
  const come = await tx.query(addRoles, [id, roles]);
  return gone.length + come.length > 0;
}

const roleNames = statement<{ name: string }>("owner-role-names")`
  SELECT r.name FROM owner_role o JOIN role r ON r.id = o.role_id WHERE o.owner_id = $1
   ORDER BY r.name`;

const bound = statement("owner-is-bound-to")`
  SELECT FROM user_owner WHERE username = $1 AND provider = $2 AND owner_id = $3`;

/** What keeps an owner from being deleted. */
const ofOwner = dependants("owner", {
  entities: `
    SELECT coalesce(e.internal_name, e.external_name, e.catrn) AS name
      FROM ownership o JOIN data_entity e ON e.id = o.entity_id WHERE o.owner_id = $1`,
  terms: `
    SELECT t.name FROM term_ownership o JOIN term t ON t.id = o.term_id WHERE o.owner_id = $1`,
  users: "SELECT username AS name FROM user_owner WHERE owner_id = $1",
});

const remove = statement("owner-delete")`DELETE FROM owner WHERE id = $1`;
