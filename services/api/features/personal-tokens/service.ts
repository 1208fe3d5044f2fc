import { z } from "@hono/zod-openapi";
import { Id, type PageQuery, type PageWindow, pageWindow, Timestamp } from "#contract/http.ts";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { NameInput, searchQuery } from "#contract/catalogue/inputs.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { badRequest, conflict, forbidden, notFound } from "#kit/errors.ts";
import { type StoredToken, storedTokenOf } from "#kit/secret.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Queryable, Transaction } from "#metadata/postgres/database.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import {
  lockAccount,
  type Person,
  personInWords,
  personOf,
} from "#services/api/access/callers/person.ts";
import { maxKnownTokens, newPersonalToken } from "#services/api/access/callers/personal-tokens.ts";
import { configuredCredentials, stampOf } from "#services/api/access/sign-in/credentials.ts";
import { listOfFound } from "#services/api/list-json.ts";

/** Tokens of one person, the expired ones that are still kept among them. */
export const maxTokens = 50;
/** Years after which a token ends at the latest, when it is given an end. */
const longestYears = 5;

const tokens = "personal tokens";

/** Limits on the tokens of people. */
export const personalTokenLimits: Limit[] = [
  limit(tokens, "tokens of one user", maxTokens),
  limit(tokens, "lifetime, years", longestYears),
  limit(
    tokens,
    "lookups cached for a second",
    maxKnownTokens,
    "the oldest is looked up again",
  ),
];

type Deps = Pick<Context, "db" | "clock" | "log">;
type MintDeps = Deps & Pick<Context, "config">;

/** One page of the caller's own tokens by name; PersonalTokenList as JSON text. */
export function listTokens({ db }: Pick<Deps, "db">, actor: Caller, page: PageQuery) {
  return tokenList(db, personOf(actor), pageWindow(page));
}

/**
 * Makes a token of the caller; PersonalToken as JSON text, which alone shows it. Throws 403 to a caller who is
 * known by a token, 400 where nobody is signed in, to programs, for an end that is past or too far, and when
 * the caller has too many; 400 (USR003) for a name that another of them has.
 */
export function mintToken(
  context: MintDeps,
  actor: Caller,
  form: PersonalTokenForm,
): Promise<string> {
  const person = mayMint(actor);
  checkEnd(form.expires_at, context.clock.now());
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockAccount(tx, { ...person, admin: actor.admin ?? false });
    if (await tokenCount(tx, person) >= maxTokens) throw tooMany();
    const value = newPersonalToken();
    const { id, json } = await insertToken(tx, person, form, {
      value,
      stamp: stampOf(value, configuredCredentials(context.config)(person)) ?? null,
      ...storedTokenOf(value),
    });
    change.audit("TOKEN_MINTED", inWords(id, `${form.name} (${form.scope})`));
    return json;
  }, { unique: () => taken(form.name) });
}

/** Ends one of the caller's own tokens; it works nowhere a moment later. Throws 404, for others' tokens as well. */
export async function revokeToken(context: Deps, actor: Caller, id: number): Promise<void> {
  const person = personOf(actor);
  if (!person) throw notFound("Personal token", id);
  await changing(context, actor, async (change) => {
    const name = await deleteToken(change.tx, id, person);
    if (name === undefined) throw notFound("Personal token", id);
    change.audit("TOKEN_REVOKED", inWords(id, name));
  });
}

/** Revokes all tokens of any user; they stop working everywhere a moment later. Throws 404 when there are none. */
export async function revokeTokensOf(context: Deps, actor: Caller, person: Person): Promise<void> {
  await changing(context, actor, async (change) => {
    const gone = await deleteTokens(change.tx, person);
    if (gone.length === 0) throw notFound("Personal token of user", personInWords(person));
    for (const { id, name } of gone) {
      change.audit("TOKEN_REVOKED", `${inWords(id, name)} of ${personInWords(person)}`);
    }
  });
}

/** The person who may make tokens: one who has signed in. */
function mayMint(actor: Caller): Person {
  if (actor.credential === "personal-token") {
    throw forbidden("A token cannot make tokens: sign in to make one");
  }
  const person = personOf(actor);
  if (person && actor.credential === "session") return person;
  throw badRequest(
    actor.name === null
      ? "Nobody is signed in: personal tokens belong to people who sign in (auth.type)"
      : "Personal tokens belong to people: a program has its own key or token",
  );
}

function checkEnd(end: string | null | undefined, now: number): void {
  if (!end) return;
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + longestYears);
  const at = Date.parse(end);
  const message = at <= now
    ? "must lie in the future"
    : at > latest.getTime()
    ? `must lie within ${longestYears} years`
    : undefined;
  if (message) throw badRequest("The token would not be valid", [{ field: "expires_at", message }]);
}

function tooMany() {
  return badRequest(`You have ${maxTokens} tokens, the most a person can have: revoke one first`);
}

function taken(name: string) {
  return conflict(`You already have a token called ${name}`, [
    { field: "name", message: "must not be the name of another of your tokens" },
  ]);
}

/** A token for auditors. */
const inWords = (id: number, name: string) => `personal token ${id} ${name}`;

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
async function tokenList(
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
async function tokenCount(db: Queryable, { username, provider }: Person): Promise<number> {
  return (await db.query(count, [username, provider]))[0]!.count;
}

const insert = statement<JsonRow & { id: number }>("personal-token-insert")`
  INSERT INTO personal_token AS t (username, provider, name, scope, expires_at, digest, hint, credential_stamp)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING t.id, json_personal_token(t, $9)::text AS json`;

/** Inserts a token; its id, and PersonalToken as JSON text with its value. */
async function insertToken(
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
function deleteTokens(tx: Transaction, { username, provider }: Person) {
  return tx.query(removeAll, [username, provider]);
}

const remove = statement<{ name: string }>("personal-token-delete")`
  DELETE FROM personal_token WHERE id = $1 AND username = $2 AND provider = $3 RETURNING name`;

/** Deletes a token of this person; its name, undefined when the person has no such token. */
async function deleteToken(tx: Transaction, id: number, person: Person) {
  return (await tx.query(remove, [id, person.username, person.provider]))[0]?.name;
}

const Scope = z.enum(["READ", "ALL"]).openapi("PersonalTokenScope", {
  description: "READ: may only read. ALL: may do whatever its owner may",
});

export const PersonalToken = z.object({
  id: Id,
  name: z.string(),
  value: optional(z.string()).openapi({
    description: "The token, only in the response that creates it; otherwise null",
  }),
  hint: z.string().openapi({ description: "Its last four characters" }),
  scope: Scope,
  created_at: Timestamp,
  expires_at: optional(Timestamp),
  last_used_at: optional(Timestamp).openapi({ description: "To the minute" }),
}).openapi("PersonalToken");
export const PersonalTokenList = pageOf("PersonalTokenList", PersonalToken);

/** Strict, so that a misspelt `scope` gives no token that may do everything. */
export const PersonalTokenForm = z.strictObject({
  name: NameInput,
  expires_at: Instant.nullish().openapi({ type: ["string", "null"], format: "date-time" }),
  scope: Scope.default("ALL"),
}).openapi("PersonalTokenFormData");
export type PersonalTokenForm = z.output<typeof PersonalTokenForm>;

/** A user, as for binding one to an owner. */
export const UserQuery = z.object({
  username: NameInput.openapi({
    param: { name: "username", in: "query", required: true, description: "Name of the user" },
    type: "string",
  }),
  provider: searchQuery(
    "provider",
    "The user's identity provider; absent or LOGIN_FORM: a user of the configuration",
  ),
});
