import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import {
  MetadataFieldOrigin,
  MetadataFieldType,
  MetadataFieldValue,
} from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/inputs.ts";
import { isDateTime, isJsonArray, isJsonContainer, longestJson } from "#contract/metadata-text.ts";
import { givenText } from "#contract/text.ts";

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

type Type = z.output<typeof MetadataFieldType>;

interface Rule {
  fits: (text: string) => boolean;
  /** What the text must be, in words. */
  expected: string;
}

const rules: Record<Type, Rule> = {
  INTEGER: { fits: (text) => /^[+-]?\d{1,1000}$/.test(text), expected: "a whole number" },
  STRING: { fits: () => true, expected: "a text" },
  DATETIME: {
    fits: isDateTime,
    expected: "a date and a time, such as 2024-01-31T12:00:00Z",
  },
  FLOAT: {
    fits: (text) =>
      /^[+-]?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/.test(text) &&
      Number.isFinite(Number(text)),
    expected: "a number, such as 12.5",
  },
  BOOLEAN: { fits: (text) => text === "true" || text === "false", expected: "true or false" },
  ARRAY: { fits: isJsonArray, expected: 'a JSON array, such as ["a", 1]' },
  JSON: { fits: isJsonContainer, expected: "a JSON object or array" },
};

/** Why a text is no value of this type; undefined when it is one. */
export function unfit(type: Type, text: string): string | undefined {
  const { fits, expected } = rules[type];
  return fits(text) ? undefined : `must be ${expected}`;
}

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
