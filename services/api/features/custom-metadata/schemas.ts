import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import {
  MetadataFieldOrigin,
  MetadataFieldType,
  MetadataFieldValue,
} from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/forms.ts";
import { longestJson } from "#contract/metadata-text.ts";
import { givenText } from "#contract/text.ts";
import { unfit } from "#services/api/features/custom-metadata/types.ts";

/** Maximum number of values that one form gives. */
export const maxFormValues = 100;

/** Maximum number of values that people give one entity. */
export const maxEntityValues = 1_000;

/** Longest value, in UTF-16 units. */
export const maxValue = longestJson;

/** Maximum number of fields that are listed. */
export const maxListed = 1_000;

const value = givenText({ min: 1, max: maxValue });

/** People give values of their own; those of collectors are EXTERNAL. */
const origin = MetadataFieldOrigin.nullish().refine((given) => given !== "EXTERNAL", {
  error: "must be INTERNAL: values of collectors are theirs",
});

/** A value, with the name and the type of its field, which is made if missing. */
const MetadataObject = z.object({ name: NameInput, type: MetadataFieldType, value, origin })
  .superRefine((given, context) => {
    const message = unfit(given.type, given.value);
    if (message) context.addIssue({ code: "custom", path: ["value"], message });
  }).openapi("MetadataObject");
export type MetadataObject = z.output<typeof MetadataObject>;

export const MetadataFieldValueForm = boundedArray(MetadataObject, maxFormValues)
  .openapi("MetadataFieldValueFormData");

export const MetadataFieldValueUpdateForm = z.object({ value, origin })
  .openapi("MetadataFieldValueUpdateFormData");

export const MetadataFieldValueList = z.object({ items: z.array(MetadataFieldValue) })
  .openapi("MetadataFieldValueList");
