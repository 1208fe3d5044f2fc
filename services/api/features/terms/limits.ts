import { type Limit, limit } from "#kit/limits.ts";
import { maxLinkedTerms } from "./linking.ts";
import { maxMentions } from "./mentions.ts";
import { maxDefinition, shownDefinition } from "./schemas.ts";

const terms = "terms";

/** Limits of the glossary. */
export const termLimits: Limit[] = [
  limit(terms, "definition, UTF-16 units", maxDefinition),
  limit(terms, "definition of a referenced term, characters", shownDefinition, "it is cut"),
  limit(terms, "terms that one text mentions", maxMentions),
  limit(terms, "terms linked to one entity by users", maxLinkedTerms),
];
