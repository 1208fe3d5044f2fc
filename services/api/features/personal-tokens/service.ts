import { z } from "@hono/zod-openapi";
import { Id, type PageQuery, pageWindow, Timestamp } from "#contract/http.ts";
import { optional, pageOf } from "#contract/catalogue/common.ts";
import { NameInput, searchQuery } from "#contract/catalogue/inputs.ts";
import { Instant } from "#contract/ingestion/values.ts";
import { badRequest, conflict, forbidden, notFound, requireFound } from "#kit/errors.ts";
import { storedTokenOf } from "#kit/secret.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { changing } from "#metadata/catalogue/changing.ts";
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

/** One page of the caller's own tokens by name, none of a caller who is no person; PersonalTokenList as JSON text. */
export async function listTokens({ db }: Pick<Deps, "db">, actor: Caller, page: PageQuery) {
  const { username = null, provider = null } = personOf(actor) ?? {};
  const { limit, offset } = pageWindow(page);
  return (await db.query(list, [username, provider, limit, offset]))[0]!.json;
}

/**
 * Makes a token of the caller; PersonalToken as JSON text, which alone shows it. Throws 403 to a caller who is
 * known by a token, 400 where nobody is signed in, to programs, for an end that is past or too far, and when
 * the caller has too many; 400 (USR003) for a name that another of them has.
 */
export function mintToken(
  context: MintDeps,
  actor: Caller,
  { name, scope, expires_at }: PersonalTokenForm,
): Promise<string> {
  const person = mayMint(actor);
  checkEnd(expires_at, context.clock.now());
  return changing(context, actor, async (change) => {
    const { tx } = change;
    await lockAccount(tx, { ...person, admin: actor.admin ?? false });
    const of = [person.username, person.provider];
    const [tokens] = await tx.query(count, of);
    if (tokens!.count >= maxTokens) {
      throw badRequest(
        `You have ${maxTokens} tokens, the most a person can have: revoke one first`,
      );
    }
    const value = newPersonalToken();
    const { digest, hint } = storedTokenOf(value);
    const stamp = stampOf(value, configuredCredentials(context.config)(person)) ?? null;
    const values = [...of, name, scope, expires_at ?? null, digest, hint, stamp, value];
    const { id, json } = (await tx.query(insert, values))[0]!;
    change.audit("TOKEN_MINTED", inWords(id, `${name} (${scope})`));
    return json;
  }, { unique: () => taken(name) });
}

/** Ends one of the caller's own tokens; it works nowhere a moment later. Throws 404, for others' tokens as well. */
export async function revokeToken(context: Deps, actor: Caller, id: number): Promise<void> {
  const person = personOf(actor);
  if (!person) throw notFound("Personal token", id);
  await changing(context, actor, async (change) => {
    const gone = requireFound(
      await change.tx.query(remove, [id, person.username, person.provider]),
      "Personal token",
      id,
    );
    change.audit("TOKEN_REVOKED", inWords(id, gone.name));
  });
}

/** Revokes all tokens of any user; they stop working everywhere a moment later. Throws 404 when there are none. */
export async function revokeTokensOf(context: Deps, actor: Caller, person: Person): Promise<void> {
  await changing(context, actor, async (change) => {
    const gone = await change.tx.query(removeAll, [person.username, person.provider]);
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

/** How many tokens a person has, the expired ones that are still kept among them. */
const count = statement<{ count: number }>("personal-token-count")`
  SELECT count(*) AS count FROM personal_token WHERE username = $1 AND provider = $2`;

const insert = statement<JsonRow & { id: number }>("personal-token-insert")`
  INSERT INTO personal_token AS t (username, provider, name, scope, expires_at, digest, hint, credential_stamp)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING t.id, json_personal_token(t, $9)::text AS json`;

const removeAll = statement<{ id: number; name: string }>("personal-token-delete-all")`
  WITH gone AS (DELETE FROM personal_token WHERE username = $1 AND provider = $2 RETURNING id, name)
  SELECT id, name FROM gone ORDER BY id`;

const remove = statement<{ name: string }>("personal-token-delete")`
  DELETE FROM personal_token WHERE id = $1 AND username = $2 AND provider = $3 RETURNING name`;

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
