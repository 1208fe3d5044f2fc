import { type Limit, limit } from "#kit/limits.ts";
import { maxKnownTokens } from "#services/api/access/callers/personal-tokens.ts";

/** Tokens of one person, the expired ones that are still kept among them. */
export const maxTokens = 50;
/** Years after which a token ends at the latest, when it is given an end. */
export const longestYears = 5;

const tokens = "personal tokens";

/** Limits on the tokens of people. */
export const personalTokenLimits: Limit[] = [
  limit(tokens, "of one person", maxTokens),
  limit(tokens, "years to their end", longestYears),
  limit(
    tokens,
    "lookups cached for a second",
    maxKnownTokens,
    "the oldest is dropped, and looked up again",
  ),
];
