import { z } from "@hono/zod-openapi";
import { maxCatrnBytes } from "#contract/entities.ts";
import { isObject } from "#kit/own.ts";
import { maxMapMembers } from "./limits.ts";

/** Longest text in a unique index (names of tags, metadata fields, enum values), in bytes. */
export const maxIndexedBytes = 2_000;

const encoder = new TextEncoder();

/** An error map: absent values get the "required" message, all others `message`. */
const orRequired = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? "is required" : message;

/** Whether `text` is at most `limit` bytes of UTF-8. */
export function fitsBytes(text: string, limit: number): boolean {
  return text.length * 3 <= limit ||
    (text.length <= limit && encoder.encode(text).length <= limit);
}

/** A CATRN: 1 to 1,000 bytes without NUL, compared bytewise. */
export const Catrn = z.string().min(1, { error: "must not be empty" }).refine(
  (text) => fitsBytes(text, maxCatrnBytes),
  { error: `must be at most ${maxCatrnBytes} bytes of UTF-8` },
).openapi({ type: "string", minLength: 1, maxLength: maxCatrnBytes });

/** A name that is unique in the catalogue. */
export const IndexedText = z.string().refine((text) => fitsBytes(text, maxIndexedBytes), {
  error: `must be at most ${maxIndexedBytes} bytes of UTF-8`,
}).openapi({ type: "string", maxLength: maxIndexedBytes });

/**
 * RFC 3339 text in UTC with milliseconds, so that each instant has one spelling. Null outside the
 * years 1 to 9999, where JavaScript writes years differently. `at` is in milliseconds since 1970.
 */
export function utcText(at: number): string | null {
  if (Number.isNaN(at)) return null;
  const utc = new Date(at).toISOString();
  return utc.length === 24 && !utc.startsWith("0000") ? utc : null;
}

/**
 * An RFC 3339 date-time with its offset. The output is text in UTC with milliseconds
 * (`2024-01-31T12:00:00.000Z`); finer digits are cut.
 */
export const Instant = z.iso.datetime({
  offset: true,
  error: orRequired(
    "must be an RFC 3339 date-time with an offset, such as 2024-01-31T12:00:00Z",
  ),
}).refine((text) => utcText(Date.parse(text)) !== null, {
  error: "must lie in the years 1 to 9999",
})
  .overwrite((text) => utcText(Date.parse(text)) ?? text)
  .openapi({ type: "string", format: "date-time" });

const maxInt64 = 2n ** 63n - 1n;
/** The largest of them that a number of the OpenAPI document can be. */
const shownInt64 = 2 ** 63 - 1_024;

/** A 64-bit integer: a number up to 2^53, beyond that a bigint with its exact digits. */
export const Int64 = z.custom<number | bigint>(
  (value) =>
    typeof value === "bigint"
      ? value <= maxInt64 && value >= -maxInt64 - 1n
      : Number.isSafeInteger(value),
  { error: orRequired("must be a 64-bit integer") },
)
  .openapi({ type: "integer", format: "int64", minimum: -shownInt64, maximum: shownInt64 });

/** A number; an integer beyond 2^53 is a bigint. */
export const Num = z.custom<number | bigint>(
  (value) => typeof value === "bigint" || Number.isFinite(value),
  { error: orRequired("must be a number") },
).openapi({ type: "number" });

/**
 * An object with free keys, at most `maxMapMembers`, and values of any kind. Never has a key
 * `__proto__`.
 */
export const FreeMap = z.custom<Record<string, unknown>>(
  isObject,
  { error: orRequired("must be an object"), abort: true },
).refine((map) => Object.keys(map).length <= maxMapMembers, {
  error: `must hold at most ${maxMapMembers} members`,
}).openapi({ type: "object", additionalProperties: true, maxProperties: maxMapMembers });

/** Characters of a key that a path shows; longer keys are cut. */
const maxShownKey = 200;

/** The path of a field as error bodies write it: `items[3].dataset.field_list[0].type.type`. */
export function fieldPath(path: readonly PropertyKey[], before = ""): string {
  let text = before;
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += stepOfKey(String(step), text === "");
  }
  return text;
}

function stepOfKey(key: string, first: boolean): string {
  const known = key.length <= maxShownKey ? key : `${key.slice(0, maxShownKey).toWellFormed()}…`;
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(known)) return `[${JSON.stringify(known)}]`;
  return first ? known : `.${known}`;
}
