import { type Limit, limit } from "#kit/limits.ts";
import { maxTags } from "./schemas.ts";

/** Limits of tags. */
export const tagLimits: Limit[] = [
  limit(
    "tags",
    "tags created in one request, or assigned to an entity or a term by users",
    maxTags,
  ),
];
