import { anonymous } from "#contract/actor.ts";
import { AppError, unauthenticated } from "#kit/errors.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Context } from "#platform/context.ts";
import { bearerToken, longestToken } from "#platform/http/request-headers.ts";
import {
  type AccessControl,
  type Authenticator,
  nobodySignsIn,
  open,
} from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import { type Person, personOf } from "#services/api/access/callers/person.ts";
import { personalTokens } from "#services/api/access/callers/personal-tokens.ts";
import { configuredCredentials } from "#services/api/access/sign-in/credentials.ts";
import { sessionIdOf, type Sessions } from "#services/api/access/sessions/sessions.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

interface AuthenticatorDeps {
  sessions: Sessions;
  throttle: AttemptThrottle;
  /** Whether a user can still sign in; sessions and tokens of others are good for nothing. */
  knows(person: Person): boolean;
}

/** Where people sign in. */
const signInPath = "/login";

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

/** Returns the caller of a token; undefined for an unknown one. */
type TokenLookup = (token: string) => Promise<Caller | undefined>;

/** The collector, or the data source, of a token. */
function collectorTokens({ db }: Pick<Context, "db">): TokenLookup {
  return async (token) => {
    const holder = await tokenHolder(db, token);
    if (!holder) return undefined;
    const { kind, id, name } = holder;
    const credential = "collector-token";
    return { kind: "collector", name, provider: "", credential, tokenOf: { kind, id } };
  };
}

/**
 * Authenticates a caller by token, with the first lookup that knows it. Throws 401 for an unknown token, and 429 for
 * an address that has sent too many of those.
 */
function bearerTokens(lookups: TokenLookup[], throttle: AttemptThrottle) {
  return async (token: string, address: string | undefined): Promise<Caller> => {
    for (const lookup of token.length <= longestToken ? lookups : []) {
      const known = await lookup(token);
      if (known) return { ...known, address };
    }
    await throttle.failedWithToken(address);
    throw unauthenticated("The token is not known, or has expired");
  };
}

/** Throws 401 for everybody but a collector with its token. */
export function requireCollector({ credential }: Caller): void {
  if (credential === "collector-token") return;
  throw unauthenticated("The token of a collector or data source is required");
}

/** Access where nobody signs in (`auth.type` DISABLED): only ingestion may ask for a token. */
export function withoutSignIn(context: Context, throttle: AttemptThrottle): AccessControl {
  if (!context.config.auth.ingestion.filter.enabled) {
    return { authenticator: nobodySignsIn, authorizer: open };
  }
  const ofToken = bearerTokens([collectorTokens(context)], throttle);
  return {
    authenticator: {
      authenticate(request, address, access) {
        const token = bearerToken(request.headers.get("authorization"));
        if (access !== "collector" || token === undefined) {
          return nobodySignsIn.authenticate(request, address, access);
        }
        return ofToken(token, address);
      },
    },
    authorizer: {
      ...open,
      authorize(caller, needed) {
        if (needed === "collector") requireCollector(caller);
        return Promise.resolve();
      },
    },
  };
}
