import type { z } from "@hono/zod-openapi";
import type { MetadataFieldType } from "#contract/catalogue/common.ts";
import { isDateTime, isJsonArray, isJsonContainer } from "#contract/metadata-text.ts";

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
