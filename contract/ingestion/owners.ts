import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { givenText, maxName } from "#contract/text.ts";
import { maxOwners } from "./limits.ts";

/** An owner and what it owns the entity as, both known by name; a blank title is none. */
export const IngestedOwner = z.object({
  name: givenText({ min: 1, max: maxName }),
  title: givenText({ max: maxName }).optional(),
}).openapi("IngestedOwner");

/**
 * Who owns the entity of an item, as its source tells. Replaces what was told before; absent leaves it as it is, `[]`
 * takes it away. Of one name the first counts.
 */
export const IngestedOwners = boundedArray(IngestedOwner, maxOwners);
export type IngestedOwners = z.output<typeof IngestedOwners>;
