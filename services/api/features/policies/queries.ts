import type { PageWindow } from "#contract/http.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { dependants } from "#services/api/dependants.queries.ts";
import { listOfFound } from "#services/api/list-json.ts";
import type { PolicyForm } from "./schemas.ts";

const list = statement<JsonRow>("policy-list")`
  WITH found AS (SELECT id, name FROM policy WHERE name ILIKE $1)
  ${listOfFound({ each: "json_named(id, name)", by: "name", window: ["$2", "$3"] })}`;

/** PolicyList as JSON text, by name; `pattern` is for ILIKE. */
export async function policyList(
  db: Queryable,
  pattern: string,
  page: PageWindow,
): Promise<string> {
  return (await db.query(list, [pattern, page.limit, page.offset]))[0]!.json;
}

/** PolicyDetails. */
export interface PolicyRow {
  id: number;
  name: string;
  policy: string;
}

const byId = statement<PolicyRow>("policy-by-id")`
  SELECT id, name, document AS policy FROM policy WHERE id = $1`;

export async function policyById(db: Queryable, id: number): Promise<PolicyRow | undefined> {
  return (await db.query(byId, [id]))[0];
}

const lock = statement<PolicyRow>("policy-lock")`
  SELECT id, name, document AS policy FROM policy WHERE id = $1 FOR UPDATE`;

/** Locked against other changes. */
export async function lockPolicy(tx: Transaction, id: number): Promise<PolicyRow | undefined> {
  return (await tx.query(lock, [id]))[0];
}

const count = statement<{ count: number }>("policy-count")`SELECT count(*) AS count FROM policy`;

export async function countPolicies(db: Queryable): Promise<number> {
  return (await db.query(count))[0]!.count;
}

const insert = statement<PolicyRow>("policy-insert")`
  INSERT INTO policy (name, document) VALUES ($1, $2) RETURNING id, name, document AS policy`;

/** Fails (23505) when the name is taken. */
export async function insertPolicy(tx: Transaction, form: PolicyForm): Promise<PolicyRow> {
  return (await tx.query(insert, [form.name, form.policy]))[0]!;
}

const update = statement<PolicyRow>("policy-update")`
  UPDATE policy SET name = $2, document = $3, revision = revision + 1, updated_at = now()
   WHERE id = $1 RETURNING id, name, document AS policy`;

/** Fails (23505) when the name is taken. */
export async function updatePolicy(
  tx: Transaction,
  id: number,
  form: PolicyForm,
): Promise<PolicyRow> {
  return (await tx.query(update, [id, form.name, form.policy]))[0]!;
}

/** What keeps a policy from being deleted. */
export const havingPolicy = dependants("policy", {
  roles: `
    SELECT r.name FROM role_policy p JOIN role r ON r.id = p.role_id WHERE p.policy_id = $1`,
});

const remove = statement("policy-delete")`DELETE FROM policy WHERE id = $1`;

/** Fails (23503) while a role has it. */
export async function deletePolicy(tx: Transaction, id: number): Promise<void> {
  await tx.query(remove, [id]);
}
