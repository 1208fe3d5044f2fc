import { maxBriefs } from "#contract/catalogue/entity.ts";
import { type Limit, limit } from "#kit/limits.ts";

/** Maximum number of characters of the description of an entity that is shown at a glance. */
export const briefDescription = 500;

const briefs = "GET /api/dataentities/details";

/** Limits of reading entities. */
export const dataEntityLimits: Limit[] = [
  limit(briefs, "ids", maxBriefs),
  limit(briefs, "description of each entity, characters", briefDescription, "cut"),
];
