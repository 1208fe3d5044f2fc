import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import { dependants } from "#services/api/dependants.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** Which owners to list; absent members do not restrict. */
export interface OwnerFilter {
  /** For ILIKE. */
  pattern: string;
  ids: number[] | null;
  /** Only those that a user may be bound to without approval; false: only the others. */
  free: boolean | null;
}

const list = statement<JsonRow>("owner-list")`
  WITH found AS (
    SELECT o FROM owner o
     WHERE o.name ILIKE $1 AND ($2::bigint[] IS NULL OR o.id = ANY ($2::bigint[]))
       AND ($3::boolean IS NULL OR owner_is_free(o.id) = $3))
  ${listOfFound({ each: "json_owner(o)", by: "(o).name", window: ["$4", "$5"] })}`;

/** OwnerList as JSON text, by name. */
export async function ownerList(
  db: Queryable,
  { pattern, ids, free }: OwnerFilter,
  page: PageWindow,
): Promise<string> {
  const values = [pattern, ids, free, page.limit, page.offset];
  return (await db.query(list, values))[0]!.json;
}

const asJson = statement<JsonRow>("owner-json")`
  SELECT json_owner(o)::text AS json FROM owner o WHERE o.id = $1`;

/** Owner as JSON text. */
export async function ownerJson(db: Queryable, id: number): Promise<string> {
  return (await db.query(asJson, [id]))[0]!.json;
}

const insert = statement<{ id: number }>("owner-insert")`
  INSERT INTO owner (name, folded)
  SELECT $1::text, k.key FROM (SELECT name_key($1::text)) AS k (key)
   WHERE NOT EXISTS (SELECT FROM owner o WHERE o.folded = k.key)
  ON CONFLICT DO NOTHING RETURNING id`;

/** The id of the new owner; undefined when the name, in any spelling, is taken. */
export async function insertOwner(tx: Transaction, name: string): Promise<number | undefined> {
  return (await tx.query(insert, [name]))[0]?.id;
}

const lock = statement<{ name: string }>("owner-lock")`
  SELECT name FROM owner WHERE id = $1 FOR NO KEY UPDATE`;

/** Locks an owner; its name, or undefined when there is no such owner. */
export async function lockOwner(tx: Transaction, id: number): Promise<string | undefined> {
  return (await tx.query(lock, [id]))[0]?.name;
}

const rename = statement("owner-rename")`
  UPDATE owner SET name = $2, updated_at = now() WHERE id = $1`;

export async function renameOwner(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.query(rename, [id, name]);
}

const lockRolesStatement = statement<{ id: number }>("owner-hold-roles")`
  SELECT id FROM role WHERE id = ANY($1::bigint[]) ORDER BY id FOR KEY SHARE`;

/** Those of the roles that exist; nobody can delete them until the transaction ends. */
export async function lockRoles(tx: Transaction, ids: number[]): Promise<Set<number>> {
  return new Set((await tx.query(lockRolesStatement, [ids])).map(({ id }) => id));
}

const dropRoles = statement("owner-drop-roles")`
  DELETE FROM owner_role WHERE owner_id = $1 AND role_id <> ALL($2::bigint[]) RETURNING role_id`;

const addRoles = statement("owner-add-roles")`
  INSERT INTO owner_role (owner_id, role_id) SELECT $1, unnest($2::bigint[])
  ON CONFLICT DO NOTHING RETURNING role_id`;

/** Makes these the roles of a locked owner; returns whether they were others before. */
export async function putRoles(tx: Transaction, id: number, roles: number[]): Promise<boolean> {
  const gone = await tx.query(dropRoles, [id, roles]);
  const come = await tx.query(addRoles, [id, roles]);
  return gone.length + come.length > 0;
}

const names = statement<{ name: string }>("owner-role-names")`
  SELECT r.name FROM owner_role o JOIN role r ON r.id = o.role_id WHERE o.owner_id = $1
   ORDER BY r.name`;

/** Names of the roles of an owner. */
export async function roleNames(db: Queryable, id: number): Promise<string[]> {
  return (await db.query(names, [id])).map(({ name }) => name);
}

const bound = statement("owner-is-bound-to")`
  SELECT FROM user_owner WHERE username = $1 AND provider = $2 AND owner_id = $3`;

/** Whether a person is bound to an owner. */
export async function isBoundTo(tx: Transaction, { username, provider }: Person, owner: number) {
  return (await tx.query(bound, [username, provider, owner])).length > 0;
}

/** What keeps an owner from being deleted. */
export const ofOwner = dependants("owner", {
  entities: `
    SELECT coalesce(e.internal_name, e.external_name, e.catrn) AS name
      FROM ownership o JOIN data_entity e ON e.id = o.entity_id WHERE o.owner_id = $1`,
  terms: `
    SELECT t.name FROM term_ownership o JOIN term t ON t.id = o.term_id WHERE o.owner_id = $1`,
  users: "SELECT username AS name FROM user_owner WHERE owner_id = $1",
});

const remove = statement("owner-delete")`DELETE FROM owner WHERE id = $1`;

/** Deletes an owner with its roles. Fails (23503) while it owns something or a user is bound to it. */
export async function deleteOwner(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}
