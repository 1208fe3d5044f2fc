import { type PageQuery, pageWindow } from "#contract/http.ts";
import { badRequest, conflict, forbidden, notFound } from "#kit/errors.ts";
import { storedTokenOf } from "#kit/secret.ts";
import { changing } from "#metadata/catalogue/changing.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { lockAccount } from "#services/api/access/callers/accounts.ts";
import { type Person, personInWords, personOf } from "#services/api/access/callers/person.ts";
import { newPersonalToken } from "#services/api/access/callers/personal-tokens.ts";
import { configuredCredentials, stampOf } from "#services/api/access/sign-in/credentials.ts";
import { longestYears, maxTokens } from "#services/api/features/personal-tokens/limits.ts";
import * as queries from "#services/api/features/personal-tokens/queries.ts";
import type { PersonalTokenForm } from "#services/api/features/personal-tokens/schemas.ts";

type Deps = Pick<Context, "db" | "clock" | "log">;
type MintDeps = Deps & Pick<Context, "config">;

/** One page of the caller's own tokens by name; PersonalTokenList as JSON text. */
export function listTokens({ db }: Pick<Deps, "db">, actor: Caller, page: PageQuery) {
  return queries.tokenList(db, personOf(actor), pageWindow(page));
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
    if (await queries.tokenCount(tx, person) >= maxTokens) throw tooMany();
    const value = newPersonalToken();
    const { id, json } = await queries.insertToken(tx, person, form, {
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
    const name = await queries.deleteToken(change.tx, id, person);
    if (name === undefined) throw notFound("Personal token", id);
    change.audit("TOKEN_REVOKED", inWords(id, name));
  });
}

/** Revokes all tokens of any user; they stop working everywhere a moment later. Throws 404 when there are none. */
export async function revokeTokensOf(context: Deps, actor: Caller, person: Person): Promise<void> {
  await changing(context, actor, async (change) => {
    const gone = await queries.deleteTokens(change.tx, person);
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
