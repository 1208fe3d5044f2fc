import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { givenText, maxName } from "#contract/text.ts";
import { maxOwners } from "./limits.ts";

/** An owner and its title, both by name; a blank title means none. */
const IngestedOwner = z.object({
  name: givenText({ min: 1, max: maxName }),
  title: givenText({ max: maxName }).optional(),
}).openapi("IngestedOwner");

/**
 * Owners of the entity of an item, as its source reports them. Replaces the previous list; absent leaves it unchanged, `[]`
 * takes it away. Of one name the first counts.
 */
export const IngestedOwners = boundedArray(IngestedOwner, maxOwners);
export type IngestedOwners = z.output<typeof IngestedOwners>;
