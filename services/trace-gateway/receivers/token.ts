import { unavailable } from "#kit/errors.ts";
import { digestOf, sameDigest } from "#kit/secret.ts";
import { bearerToken, longestToken } from "#platform/http/request-headers.ts";
import { RequestRejectedError, rpcCode } from "./answers.ts";

/** Which tokens exporters may send. */
export interface AcceptedTokens {
  /** `traces.token`. */
  own?: string;
  /** Whether a token is that of a collector or data source; given where ingestion requires tokens. */
  isCollectors?: (token: string) => Promise<boolean>;
}

/** Checks the `Authorization` of a request. */
export type TokenCheck = (authorization: string | null) => Promise<void>;

/**
 * Checks the token of a request. Rejects with 401 for a wrong one, and with 503 when it cannot be looked up. Without any
 * accepted tokens everybody may send.
 */
export function tokenCheck({ own, isCollectors }: AcceptedTokens): TokenCheck {
  if (own === undefined && !isCollectors) return () => Promise.resolve();
  const wanted = own === undefined ? undefined : digestOf(own);
  return async (authorization) => {
    const given = bearerToken(authorization) ?? "";
    if (wanted && sameDigest(digestOf(given), wanted)) return;
    const isPlausible = given !== "" && given.length <= longestToken;
    if (isPlausible && isCollectors && await resolveLookup(isCollectors(given))) return;
    throw new RequestRejectedError(401, rpcCode.unauthenticated, "A valid bearer token is needed");
  };
}

async function resolveLookup(answer: Promise<boolean>): Promise<boolean> {
  try {
    return await answer;
  } catch (error) {
    throw unavailable("The token cannot be checked right now", 5, error);
  }
}
