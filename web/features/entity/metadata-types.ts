import type { Schema } from "#web/api/client.ts";
import { t } from "#web/messages/text.ts";

export type FieldType = Schema<"MetadataFieldType">;
export type FieldValue = Schema<"MetadataFieldValue">;

export const fieldTypes = (): readonly (readonly [FieldType, string])[] => [
  ["STRING", t("entity.text")],
  ["INTEGER", t("entity.wholeNumber")],
  ["FLOAT", t("entity.number")],
  ["BOOLEAN", t("entity.boolean")],
  ["DATETIME", t("entity.dateAndTime")],
  ["ARRAY", t("entity.listJson")],
  ["JSON", t("entity.objectJson")],
];

const expected = (): Record<FieldType, string> => ({
  STRING: t("entity.mustBeAText"),
  INTEGER: t("entity.mustBeAWholeNumber"),
  FLOAT: t("entity.mustBeANumberSuch"),
  BOOLEAN: t("entity.mustBeTrueOrFalse"),
  DATETIME: t("entity.mustBeADateAnd"),
  ARRAY: t("entity.mustBeAJsonArray"),
  JSON: t("entity.mustBeAJsonObject"),
});

/** Why a text is no value of the type; undefined when it is one. The service has the last word. */
export function wrongWith(type: FieldType, text: string): string | undefined {
  if (text.trim() === "") return t("entity.mustNotBeEmpty");
  return fits[type](text.trim()) ? undefined : expected()[type];
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
