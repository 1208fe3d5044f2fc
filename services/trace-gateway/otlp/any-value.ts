import type { AttributeValue } from "../model.ts";

/** A value of an attribute as either encoding gives it: maps have their entries in order. */
export type AnyValue = Exclude<AttributeValue, string[]> | undefined | AnyValue[] | AnyMap;
export type AnyMap = Map<string, AnyValue>;

/** What an attribute holds; undefined for an empty value. */
export function attributeOf(value: AnyValue): AttributeValue | undefined {
  return Array.isArray(value) ? value.map(textOf) : value instanceof Map ? jsonOf(value) : value;
}

/** A value as an entry of a list of texts. */
function textOf(value: AnyValue): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return value instanceof Map ? jsonOf(value) : String(value ?? "");
}

/** Written once, whole: texts of texts would double with each level. */
function jsonOf(map: AnyMap): string {
  return JSON.stringify(plain(map));
}

function plain(value: AnyValue): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => entry instanceof Map ? plain(entry) : textOf(entry));
  }
  if (!(value instanceof Map)) return value ?? null;
  return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
}
