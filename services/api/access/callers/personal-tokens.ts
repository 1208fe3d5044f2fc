import { Buffer } from "node:buffer";
import { digestOf, newToken } from "#kit/secret.ts";
import { ShortCache } from "#kit/short-cache.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { type CredentialOf, isStamped, stampOf } from "#services/api/access/sign-in/credentials.ts";

/** Scanners for secrets know a token by its beginning, and we know it from a collector's. */
const prefix = "trb_";
const form = /^trb_[A-Za-z0-9]{40}$/;

/** Milliseconds that an answer of the look-up is used: a token that is revoked works no longer than that. */
const freshMs = 1_000;
/** Tokens whose look-up is stored. */
export const maxKnownTokens = 10_000;
/** Milliseconds between two notes of a token's use. */
const notedEvery = 60_000;

/** A new personal token: `trb_` and 40 random letters and digits. */
export const newPersonalToken = (): string => prefix + newToken();

/** Whether a text has the form of a personal token. */
export const isPersonalToken = (text: string): boolean => form.test(text);

/** Resolves personal tokens to their users. */
export interface PersonalTokens {
  /**
   * The person of a token; undefined for one that is unknown, revoked or expired, or was made when its user had another
   * password. Notes in the background when it
   * was used, at most once a minute. Throws an `AppError` 503 while the metadata store is down.
   */
  callerOf(token: string): Promise<Caller | undefined>;
}

type Deps = Pick<Context, "db" | "clock" | "log" | "metrics">;

/** `credentialOf`: by default of nobody: then a token outlives a change of the password. */
export function personalTokens(
  deps: Deps,
  credentialOf: CredentialOf = () => undefined,
): PersonalTokens {
  const { db, clock, metrics } = deps;
  const known = new ShortCache<StoredPersonalToken | undefined>({
    ttlMs: freshMs,
    maxEntries: maxKnownTokens,
    name: "personal_tokens",
    clock,
    metrics,
  });
  return {
    async callerOf(token) {
      if (!isPersonalToken(token)) return undefined;
      const digest = digestOf(token);
      const key = Buffer.from(digest).toString("base64");
      const found = await known.get(key, async () => (await db.query(byDigest, [digest]))[0]);
      if (!found || isOver(found, clock.now())) return undefined;
      if (!await isOfSamePassword(deps, found, token, credentialOf(found))) return undefined;
      noteUse(deps, found);
      return callerFrom(found);
    },
  };
}

function isOver({ expires_at }: StoredPersonalToken, now: number): boolean {
  return expires_at !== null && expires_at.getTime() <= now;
}

function callerFrom({ username, provider, admin, scope }: StoredPersonalToken): Caller {
  return {
    kind: "user",
    name: username,
    provider,
    admin,
    credential: "personal-token",
    ...(scope === "READ" ? { readOnly: true } : {}),
  };
}

/** Whether a token was made with this password. One of an older release is bound to it now. */
async function isOfSamePassword(
  { db }: Deps,
  token: StoredPersonalToken,
  value: string,
  credential: string | undefined,
): Promise<boolean> {
  if (token.credential_stamp) return isStamped(token.credential_stamp, value, credential);
  const stamp = stampOf(value, credential);
  if (!stamp) return true;
  await db.query(bind, [token.id, stamp]);
  token.credential_stamp = stamp;
  return true;
}

/** Nobody waits for it, and nobody's request fails by it. */
function noteUse({ db, clock, log }: Deps, token: StoredPersonalToken): void {
  const now = clock.now();
  const since = new Date(now - notedEvery);
  if (token.last_used_at !== null && token.last_used_at >= since) return;
  token.last_used_at = new Date(now);
  db.query(used, [token.id, token.last_used_at, since]).catch((error) =>
    log.warn("use of a personal token was not recorded", { token: token.id, error })
  );
}

/** A personal token and its owner, as they are stored. */
interface StoredPersonalToken {
  id: number;
  username: string;
  provider: string;
  admin: boolean;
  scope: "READ" | "ALL";
  expires_at: Date | null;
  last_used_at: Date | null;
  /** Null: not bound to a password. */
  credential_stamp: Uint8Array | null;
}

const byDigest = statement<StoredPersonalToken>("personal-token-by-digest")`
  SELECT t.id, t.username, t.provider, a.admin, t.scope, t.expires_at, t.last_used_at, t.credential_stamp
    FROM personal_token t JOIN account a USING (username, provider) WHERE t.digest = $1`;

/** Notes the use of the token $1 at $2, unless one after $3 is known. */
const used = statement("personal-token-used")`
  UPDATE personal_token SET last_used_at = $2
   WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)`;

/** Binds a token of an older release to the password that its user has now. */
const bind = statement("personal-token-bind")`
  UPDATE personal_token SET credential_stamp = $2 WHERE id = $1 AND credential_stamp IS NULL`;
