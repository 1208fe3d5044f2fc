import { type Limit, limit } from "#kit/limits.ts";
import { maxTags } from "./schemas.ts";

/** Limits of tags. */
export const tagLimits: Limit[] = [
  limit("tags", "tags made at once, or given to an entity or a term by hand", maxTags),
];
