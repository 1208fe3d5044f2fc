import { type Limit, limit } from "#kit/limits.ts";
import { maxEntityValues, maxFormValues, maxListed, maxValue } from "./schemas.ts";

const entrance = "metadata by users";

/** Limits of custom metadata. */
export const customMetadataLimits: Limit[] = [
  limit(entrance, "values of one form", maxFormValues),
  limit(entrance, "values of one entity", maxEntityValues),
  limit(entrance, "value, UTF-16 units", maxValue),
  limit(entrance, "fields that are listed", maxListed, "the first by name, `hasNext` true"),
];
