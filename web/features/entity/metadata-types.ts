import type { Schema } from "#web/api/client.ts";

export type FieldType = Schema<"MetadataFieldType">;
export type FieldValue = Schema<"MetadataFieldValue">;

export const fieldTypes: readonly (readonly [FieldType, string])[] = [
  ["STRING", "Text"],
  ["INTEGER", "Whole number"],
  ["FLOAT", "Number"],
  ["BOOLEAN", "Boolean"],
  ["DATETIME", "Date and time"],
  ["ARRAY", "List (JSON)"],
  ["JSON", "Object (JSON)"],
];

const expected: Record<FieldType, string> = {
  STRING: "must be a text",
  INTEGER: "must be a whole number, such as 90",
  FLOAT: "must be a number, such as 12.5",
  BOOLEAN: "must be true or false",
  DATETIME: "must be a date and a time, such as 2026-05-01T12:00:00Z",
  ARRAY: 'must be a JSON array, such as ["a", 1]',
  JSON: 'must be a JSON object, such as {"a": 1}',
};

/** Why a text is no value of the type; undefined when it is one. The service has the last word. */
export function wrongWith(type: FieldType, text: string): string | undefined {
  if (text.trim() === "") return "must not be empty";
  return fits[type](text.trim()) ? undefined : expected[type];
}

const fits: Record<FieldType, (text: string) => boolean> = {
  STRING: () => true,
  INTEGER: (text) => /^[+-]?\d+$/.test(text),
  FLOAT: (text) => /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text),
  BOOLEAN: (text) => text === "true" || text === "false",
  DATETIME: (text) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
  ARRAY: (text) => Array.isArray(parsed(text)),
  JSON: (text) => typeof parsed(text) === "object" && parsed(text) !== null,
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON over several lines, or the text as it is. */
export function laidOut(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Values as they are after some were given. */
export function withValues(some: FieldValue[]) {
  const ids = new Set(some.map(({ field }) => field.id));
  return ({ metadata_field_values: now }: { metadata_field_values: FieldValue[] }) => ({
    metadata_field_values: [...now.filter(({ field }) => !ids.has(field.id)), ...some],
  });
}
