import { anonymous } from "#contract/actor.ts";
import { AppError } from "#kit/errors.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import type { Context } from "#platform/context.ts";
import { bearerToken } from "#platform/http/bearer.ts";
import type { Authenticator } from "#platform/operations/access.ts";
import {
  bearerTokens,
  collectorTokens,
  type TokenLookup,
} from "#services/api/access/callers/bearer-tokens.ts";
import { type Person, personOf } from "#services/api/access/callers/person.ts";
import { personalTokens } from "#services/api/access/callers/personal-tokens.ts";
import { sessionIdOf } from "#services/api/access/sessions/cookie.ts";
import { configuredCredentials } from "#services/api/access/sign-in/credentials.ts";
import type { Sessions } from "#services/api/access/sessions/sessions.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

export interface AuthenticatorDeps {
  sessions: Sessions;
  throttle: AttemptThrottle;
  /** Whether a user can still sign in; sessions and tokens of others are good for nothing. */
  knows(person: Person): boolean;
}

/** Where people sign in. */
export const signInPath = "/login";

/** Name under which changes of the service key are recorded. */
const serviceName = "ADMIN";

/**
 * Authenticates callers where people sign in: by service key (`X-API-Key`), token (`Authorization: Bearer`) or session
 * cookie, in this order. A wrong service key is ignored, as published; a wrong token is 401, and after too many of
 * them 429.
 */
export function authenticatorOf(context: Context, deps: AuthenticatorDeps): Authenticator {
  const { config } = context;
  const people = personalTokens(context, configuredCredentials(config));
  const ofPerson: TokenLookup = async (token) => {
    const caller = await people.callerOf(token);
    const person = caller && personOf(caller);
    return person && deps.knows(person) ? caller : undefined;
  };
  const ofToken = bearerTokens([ofPerson, collectorTokens(context)], deps.throttle);
  const isServiceKey = serviceKeyOf(config.auth.s2s);
  const filtered = config.auth.ingestion.filter.enabled;

  const uncheckable = context.metrics.counter(
    "tributary_authentication_unavailable_total",
    "Requests answered 503 because their credentials could not be verified",
    ["credential"],
  );
  for (const credential of ["session", "token"]) uncheckable.inc({ credential }, 0);
  const counting = async <T>(credential: "session" | "token", check: Promise<T>): Promise<T> => {
    try {
      return await check;
    } catch (error) {
      if (error instanceof AppError && error.status === 503) uncheckable.inc({ credential });
      throw error;
    }
  };

  return {
    signInPath,
    async authenticate({ headers }, address, access, use = "request") {
      if (access === "collector" && !filtered) return { ...anonymous, address };
      const key = headers.get("x-api-key");
      if (key !== null && isServiceKey(key)) {
        const service = { kind: "service-key", name: serviceName, provider: "" } as const;
        return { ...service, admin: true, credential: "service-key", address };
      }
      const token = bearerToken(headers.get("authorization"));
      if (token !== undefined) return await counting("token", ofToken(token, address));
      const id = sessionIdOf(headers);
      const user = id === undefined
        ? undefined
        : await counting("session", deps.sessions.find(id, use));
      if (!user || !deps.knows(user)) return { ...anonymous, address };
      const { username: name, provider, admin } = user;
      return { kind: "user", name, provider, admin, credential: "session", address };
    },
  };
}

function serviceKeyOf({ enabled, token = "" }: { enabled: boolean; token?: string }) {
  const digest = digestOf(token);
  return (given: string) => enabled && sameDigest(digestOf(given), digest);
}
