import { maxDescription } from "#contract/catalogue/forms.ts";
import { type Limit, limit } from "#kit/limits.ts";

/** Limits of what people write about entities and fields. */
export const descriptionLimits: Limit[] = [
  limit("descriptions by users", "description, UTF-16 units", maxDescription),
];
