import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { dependants } from "#services/api/dependants.queries.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("role-list")`
  WITH found AS (SELECT r FROM role r WHERE r.name ILIKE $1)
  ${listOfFound({ each: "json_role(r)", by: "(r).name", window: ["$2", "$3"] })}`;

/** RoleList as JSON text, by name; `pattern` is for ILIKE. */
export async function roleList(db: Queryable, pattern: string, page: PageWindow): Promise<string> {
  return (await db.query(list, [pattern, page.limit, page.offset]))[0]!.json;
}

const json = statement<JsonRow>("role-json")`
  SELECT json_role(r)::text AS json FROM role r WHERE r.id = $1`;

/** Role as JSON text. */
export async function roleJson(db: Queryable, id: number): Promise<string> {
  return (await db.query(json, [id]))[0]!.json;
}

const lock = statement<{ name: string }>("role-lock")`
  SELECT name FROM role WHERE id = $1 FOR UPDATE`;

/** The name of a role, which is locked against other changes; undefined for an unknown one. */
export async function lockRole(tx: Transaction, id: number): Promise<string | undefined> {
  return (await tx.query(lock, [id]))[0]?.name;
}

const count = statement<{ count: number }>("role-count")`SELECT count(*) AS count FROM role`;

export async function countRoles(db: Queryable): Promise<number> {
  return (await db.query(count))[0]!.count;
}

const insert = statement<{ id: number }>("role-insert")`
  INSERT INTO role (name) VALUES ($1) RETURNING id`;

/** The id of the new role. Fails (23505) when the name is taken. */
export async function insertRole(tx: Transaction, name: string): Promise<number> {
  return (await tx.query(insert, [name]))[0]!.id;
}

const rename = statement("role-rename")`
  UPDATE role SET name = $2, updated_at = now() WHERE id = $1`;

/** Fails (23505) when the name is taken. */
export async function renameRole(tx: Transaction, id: number, name: string): Promise<void> {
  await tx.query(rename, [id, name]);
}

const lockPolicies = statement<{ id: number }>("role-policies-lock")`
  SELECT id FROM policy WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`;

/** Those of the policies that there are; none of them goes while the transaction runs. */
export async function lockPoliciesById(tx: Transaction, ids: number[]): Promise<Set<number>> {
  return new Set((await tx.query(lockPolicies, [ids])).map(({ id }) => id));
}

const replacePolicies = statement("role-policies-set")`
  WITH gone AS (DELETE FROM role_policy WHERE role_id = $1 AND NOT policy_id = ANY($2))
  INSERT INTO role_policy (role_id, policy_id) SELECT $1, unnest($2::bigint[])
  ON CONFLICT DO NOTHING`;

/** From then on the role has exactly these policies. */
export async function setPolicies(tx: Transaction, id: number, policies: number[]): Promise<void> {
  await tx.query(replacePolicies, [id, policies]);
}

/** What keeps a role from being deleted. */
export const havingRole = dependants("role", {
  owners: `
    SELECT o.name FROM owner_role r JOIN owner o ON o.id = r.owner_id WHERE r.role_id = $1`,
});

const remove = statement("role-delete")`DELETE FROM role WHERE id = $1`;

/** Fails (23503) while an owner has it. */
export async function deleteRole(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}
