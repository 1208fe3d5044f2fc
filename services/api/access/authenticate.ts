import { anonymous } from "#contract/actor.ts";
import { unauthenticated } from "#kit/errors.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Context } from "#platform/context.ts";
import type { Authenticator } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { personalTokens } from "#services/api/access/personal-tokens.ts";
import { sessionIdOf } from "#services/api/access/sessions/cookie.ts";
import type { Sessions } from "#services/api/access/sessions/sessions.ts";
import type { AttemptThrottle } from "#services/api/access/throttle.ts";

export interface AuthenticatorParts {
  sessions: Sessions;
  throttle: AttemptThrottle;
}

/** Where people sign in. */
export const signInPath = "/login";

/** Name under which changes of the service key are recorded. */
const serviceName = "ADMIN";

/** Characters of a token that is looked up; ours are much shorter. */
export const longestToken = 200;

/**
 * Tells who calls, where people sign in: by service key (`X-API-Key`), token (`Authorization: Bearer`) or session
 * cookie, in this order. A wrong service key is ignored, as published; a wrong token is 401, and after too many of
 * them 429.
 */
export function authenticatorOf(context: Context, parts: AuthenticatorParts): Authenticator {
  const { config } = context;
  const people = personalTokens(context);
  const isServiceKey = serviceKeyOf(config.auth.s2s);
  const filtered = config.auth.ingestion.filter.enabled;

  async function byToken(token: string, address: string | undefined): Promise<Caller> {
    await parts.throttle.attempt(address);
    const known = token.length <= longestToken
      ? await people.callerOf(token) ?? await ofCollector(context, token)
      : undefined;
    if (known) return { ...known, address };
    await parts.throttle.failed(address);
    throw unauthenticated("The token is not known, or has expired");
  }

  return {
    signInPath,
    async authenticate({ headers }, address, access) {
      if (access === "collector" && !filtered) return { ...anonymous, address };
      const key = headers.get("x-api-key");
      if (key !== null && isServiceKey(key)) {
        const service = { kind: "service-key", name: serviceName, provider: "" } as const;
        return { ...service, admin: true, credential: "service-key", address };
      }
      const token = bearerOf(headers);
      if (token !== undefined) return await byToken(token, address);
      const id = sessionIdOf(headers);
      const user = id === undefined ? undefined : await parts.sessions.find(id);
      if (!user) return { ...anonymous, address };
      const { username: name, provider, admin } = user;
      return { kind: "user", name, provider, admin, credential: "session", address };
    },
  };
}

/** The token of `Authorization: Bearer`; undefined without one. */
export function bearerOf(headers: Headers): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

function serviceKeyOf({ enabled, token = "" }: { enabled: boolean; token?: string }) {
  const digest = digestOf(token);
  return (given: string) => enabled && sameDigest(digestOf(given), digest);
}

async function ofCollector({ db }: Context, token: string): Promise<Caller | undefined> {
  const holder = await tokenHolder(db, token);
  if (!holder) return undefined;
  const { kind, id, name } = holder;
  const credential = "collector-token";
  return { kind: "collector", name, provider: "", credential, tokenOf: { kind, id } };
}
