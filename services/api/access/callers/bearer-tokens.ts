import { unauthenticated } from "#kit/errors.ts";
import { tokenHolder } from "#metadata/catalogue/tokens.ts";
import type { Context } from "#platform/context.ts";
import { longestToken } from "#platform/http/bearer.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

/** Returns the caller of a token; undefined for an unknown one. */
export type TokenLookup = (token: string) => Promise<Caller | undefined>;

/** The collector, or the data source, of a token. */
export function collectorTokens({ db }: Pick<Context, "db">): TokenLookup {
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
export function bearerTokens(lookups: TokenLookup[], throttle: AttemptThrottle) {
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
