import { type Limit, limit } from "#kit/limits.ts";
import { maxEnumValues, maxTerms } from "./schemas.ts";

const entrance = "dataset fields";

/** Limits of what people write about dataset fields. */
export const datasetFieldLimits: Limit[] = [
  limit(entrance, "enum values of one field, by users", maxEnumValues),
  limit(entrance, "terms of one field, by users", maxTerms),
];
