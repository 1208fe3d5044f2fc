import { maxOfOwner, maxOwned } from "#cache/owned.ts";
import { type Limit, limit } from "#kit/limits.ts";

/** How long somebody may take to sign in at the provider, milliseconds. */
export const flowMs = 600_000;
/** Starts of one address within that time. */
export const startsPerAddress = 1_000;
/** UTF-16 units of the parameters with which the provider sends somebody back. */
export const longestAnswer = 8_192;
/** Bytes of one answer of a provider. */
export const providerBytes = 1_048_576;
/** Maximum number of pages of 100 organizations or teams read from GitHub. */
export const maxPages = 10;
/** UTF-16 units of a user's name. */
export const longestName = 255;
/** UTF-16 units of an ID token that is kept to sign out of the provider. */
export const longestIdToken = 8_000;

const back = "GET /login/oauth2/code/{id}";

/** Limits on signing in at a provider. */
export const oauth2Limits: Limit[] = [
  limit(
    "GET /oauth2/authorization/{id}",
    `starts of one address in ${flowMs / 60_000} minutes`,
    startsPerAddress,
    "429",
  ),
  limit(
    "GET /oauth2/authorization/{id}",
    "sign-ins in progress of one network, in memory",
    maxOfOwner,
    "the oldest is evicted",
  ),
  limit(
    "GET /oauth2/authorization/{id}",
    "sign-ins in progress, in memory",
    maxOwned,
    "the oldest of the network with the most is evicted",
  ),
  limit(back, "parameters, UTF-16 units", longestAnswer, "not signed in"),
  limit(back, "time since the sign-in began, ms", flowMs, "not signed in"),
  limit("answers of identity providers", "body, bytes", providerBytes, "503"),
  limit("answers of identity providers", "organizations or teams, pages of 100", maxPages, "503"),
  limit(
    "answers of identity providers",
    "name of the user, UTF-16 units",
    longestName,
    "not signed in",
  ),
];
