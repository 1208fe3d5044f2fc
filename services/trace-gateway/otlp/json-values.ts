import { MalformedRequest } from "./decoded.ts";

export type Json = Record<string, unknown>;

/** An object; undefined for null and absent. Throws `MalformedRequest` that names `at`. */
export function object(value: unknown, at: string): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value as Json;
  throw new MalformedRequest(`${at} must be an object`);
}

/** A list; empty for null and absent. Throws `MalformedRequest` that names `at`. */
export function list(value: unknown, at: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new MalformedRequest(`${at} must be a list`);
}

/** A text; empty for null and absent. Throws `MalformedRequest` that names the field. */
export function text(value: unknown, at: () => string, field: string): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  throw new MalformedRequest(`${at()}.${field} must be a text`);
}

/** A whole number from 0, as a number or its digits; 0 for null and absent. */
export function wholeNumber(value: unknown, at: () => string, field: string): number {
  if (value === undefined || value === null) return 0;
  const number = typeof value === "string" && /^\d{1,20}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && number >= 0 && number < 2 ** 64) return number;
  throw new MalformedRequest(`${at()}.${field} must be a whole number of nanoseconds`);
}
