import type { PageWindow } from "#contract/http.ts";
import type { StoredToken } from "#kit/secret.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Person } from "#services/api/access/callers/person.ts";
import type { PersonalTokenForm } from "#services/api/features/personal-tokens/schemas.ts";
import { listOfFound } from "#services/api/list-json.ts";

const list = statement<JsonRow>("personal-token-list")`
  WITH found AS (SELECT t FROM personal_token t WHERE t.username = $1 AND t.provider = $2)
  ${
  listOfFound({
    each: "json_personal_token(t, NULL)",
    by: "(t).name",
    window: ["$3", "$4"],
  })
}`;

/** PersonalTokenList of a person as JSON text, by name; of nobody, an empty one. */
export async function tokenList(
  db: Queryable,
  person: Person | undefined,
  { limit, offset }: PageWindow,
): Promise<string> {
  const values = [person?.username ?? null, person?.provider ?? null, limit, offset];
  return (await db.query(list, values))[0]!.json;
}

const count = statement<{ count: number }>("personal-token-count")`
  SELECT count(*) AS count FROM personal_token WHERE username = $1 AND provider = $2`;

/** How many tokens a person has, the expired ones that are still kept among them. */
export async function tokenCount(db: Queryable, { username, provider }: Person): Promise<number> {
  return (await db.query(count, [username, provider]))[0]!.count;
}

const insert = statement<JsonRow & { id: number }>("personal-token-insert")`
  INSERT INTO personal_token AS t (username, provider, name, scope, expires_at, digest, hint, credential_stamp)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING t.id, json_personal_token(t, $9)::text AS json`;

/** Inserts a token; its id, and PersonalToken as JSON text with its value. */
export async function insertToken(
  tx: Transaction,
  { username, provider }: Person,
  form: PersonalTokenForm,
  { digest, hint, stamp, value }: StoredToken & { stamp: Uint8Array | null; value: string },
) {
  const { name, scope, expires_at } = form;
  const values = [username, provider, name, scope, expires_at ?? null, digest, hint, stamp, value];
  return (await tx.query(insert, values))[0]!;
}

const removeAll = statement<{ id: number; name: string }>("personal-token-delete-all")`
  WITH gone AS (DELETE FROM personal_token WHERE username = $1 AND provider = $2 RETURNING id, name)
  SELECT id, name FROM gone ORDER BY id`;

/** Deletes all tokens of a person; their ids and names. */
export function deleteTokens(tx: Transaction, { username, provider }: Person) {
  return tx.query(removeAll, [username, provider]);
}

const remove = statement<{ name: string }>("personal-token-delete")`
  DELETE FROM personal_token WHERE id = $1 AND username = $2 AND provider = $3 RETURNING name`;

/** Deletes a token of this person; its name, undefined when the person has no such token. */
export async function deleteToken(tx: Transaction, id: number, person: Person) {
  return (await tx.query(remove, [id, person.username, person.provider]))[0]?.name;
}
