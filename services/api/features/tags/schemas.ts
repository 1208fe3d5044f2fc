import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { fitsBytes, maxIndexedBytes } from "#contract/ingestion/values.ts";
import { givenText } from "#contract/text.ts";

/** Most tags that are made at once, and most that people give one entity. */
export const maxTags = 1_000;

/** The name of a tag: as long as those that collectors give, surrounding blanks removed. */
const TagName = givenText({ min: 1, max: maxIndexedBytes }).refine(
  (text) => fitsBytes(text, maxIndexedBytes),
  { error: `must be at most ${maxIndexedBytes} bytes of UTF-8` },
);

/** `important` absent or null: as it is; a new tag is not important then. */
export const TagForm = z.object({ name: TagName, important: z.boolean().nullish() })
  .openapi("TagFormData");
export type TagForm = z.output<typeof TagForm>;

export const BulkTagForm = boundedArray(TagForm, maxTags).openapi("BulkTagFormData");

/** All tags that an entity is to have by hand. */
export const TagsForm = z.object({ tag_name_list: boundedArray(TagName, maxTags) })
  .openapi("TagsFormData");
