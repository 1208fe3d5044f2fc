import type { fieldTypes } from "#contract/entities.ts";

type FieldType = (typeof fieldTypes)[number];

/** Types by what the text of a type holds; the first that matches counts. */
const rules: readonly [RegExp, FieldType][] = [
  [/array|list|\[\]/, "TYPE_LIST"],
  [/map/, "TYPE_MAP"],
  [/struct|row|record/, "TYPE_STRUCT"],
  [/^n?(?:var)?char|text|string|uuid|json/, "TYPE_STRING"],
  // Before what is part of their names.
  [/interval/, "TYPE_DURATION"],
  [/bytea|binary|blob/, "TYPE_BINARY"],
  [/int|serial|long/, "TYPE_INTEGER"],
  [/dec|num|float|double|real/, "TYPE_NUMBER"],
  [/bool/, "TYPE_BOOLEAN"],
  [/timestamp|datetime|date/, "TYPE_DATETIME"],
  [/time/, "TYPE_TIME"],
  [/union/, "TYPE_UNION"],
];

/** Longest text of a type that is looked at. */
const maxScanned = 200;

/** The type of a field by the text that a producer gives for it; nested fields make it a structure. */
export function fieldTypeOf(given: string | undefined, nested = false): FieldType {
  const text = given?.slice(0, maxScanned).toLowerCase() ?? "";
  const found = rules.find(([pattern]) => pattern.test(text))?.[1];
  return found ?? (nested ? "TYPE_STRUCT" : "TYPE_UNKNOWN");
}
