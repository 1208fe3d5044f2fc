import { isObject } from "#kit/own.ts";

/** An object of JSON, whose members are unknown. */
export type RawObject = Record<string, unknown>;

/** The value as an object; undefined for anything else. */
export function objectOf(value: unknown): RawObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The objects of a list; none for anything else. */
export function objectsOf(value: unknown): RawObject[] {
  if (!Array.isArray(value)) return [];
  return value.map(objectOf).filter((one) => one !== undefined);
}

/** The texts of a list; none for anything else. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** A text that is not blank; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A whole number; undefined for anything else. */
export function integerOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? value as number : undefined;
}
