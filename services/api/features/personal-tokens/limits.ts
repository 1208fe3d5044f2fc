import { type Limit, limit } from "#kit/limits.ts";
import { maxKnownTokens } from "#services/api/access/callers/personal-tokens.ts";

/** Tokens of one person, the expired ones that are still kept among them. */
export const maxTokens = 50;
/** Years after which a token ends at the latest, when it is given an end. */
export const longestYears = 5;

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
