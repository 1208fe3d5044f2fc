import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { IndexedName } from "#contract/catalogue/inputs.ts";

/** Maximum number of tags that are made at once, and most that people give one entity. */
export const maxTags = 1_000;

/** `important` absent or null: as it is; a new tag is not important then. */
export const TagForm = z.object({ name: IndexedName, important: z.boolean().nullish() })
  .openapi("TagFormData");
export type TagForm = z.output<typeof TagForm>;

export const BulkTagForm = boundedArray(TagForm, maxTags).openapi("BulkTagFormData");

/** All tags that an entity is to have by hand. */
export const TagsForm = z.object({ tag_name_list: boundedArray(IndexedName, maxTags) })
  .openapi("TagsFormData");
