import { z } from "@hono/zod-openapi";
import { hasHidden } from "#kit/text.ts";

/** Why PostgreSQL cannot store a text; undefined when it can. */
export function unstorable(text: string): string | undefined {
  if (text.includes("\0")) return "must not hold the character NUL";
  return text.isWellFormed() ? undefined : "must not hold half a surrogate pair";
}

/** Text that PostgreSQL can store. Every text that is stored, or searched for, is checked here. */
export const StorableText = z.string().refine((text) => unstorable(text) === undefined, {
  error: ({ input }) => unstorable(input as string),
});

/** Longest name that somebody gives, of an owner for example, in UTF-16 units. */
export const maxName = 255;

interface TextBounds {
  /** Shortest length after trimming; default 0. */
  min?: number;
  /** Longest length, in UTF-16 units. */
  max: number;
}

/** A text entered by a user; surrounding blanks are removed before its length is checked. */
export function givenText({ min = 0, max }: TextBounds) {
  return StorableText.transform((text) => text.trim()).pipe(
    z.string()
      .min(min, { error: min === 1 ? "must not be empty" : `must be at least ${min} long` })
      .max(max, { error: `must be at most ${max} long` }),
  );
}

/** A name that a user gives, as people read it: of one line, and without what turns or hides other text. */
export function givenName(bounds: TextBounds) {
  return givenText(bounds).refine((text) => !hasHidden(text), {
    error: "must not hold line ends or characters that are not seen",
  });
}

/** Longest text that is tested for being JSON, in UTF-16 units; nothing limits what it contains. */
export const longestJson = 100_000;

const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Whether the text of a metadata value is a date and a time, such as `2024-01-31T12:00:00Z`. */
export function isDateTime(text: string): boolean {
  return dateTime.test(text) &&
    !Number.isNaN(Date.parse(text.replace(" ", "T").replace(",", ".")));
}

/** Whether the text of a metadata value, of at most `longestJson` characters, is a JSON object or array. */
export function isJsonContainer(text: string): boolean {
  return /^\s*[[{]/.test(text) && parsedJson(text) !== undefined;
}

/** As `isJsonContainer`, for arrays alone. */
export function isJsonArray(text: string): boolean {
  return Array.isArray(parsedJson(text));
}

function parsedJson(text: string): unknown {
  if (text.length > longestJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
