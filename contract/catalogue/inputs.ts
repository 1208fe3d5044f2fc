import { z } from "@hono/zod-openapi";
import { parameterText } from "#contract/http.ts";

/** Text that PostgreSQL can hold. */
export const storableText = (text: string) => !text.includes("\u0000");

/** An optional query parameter with text to look for; blank is the same as absent. */
export function searchQuery(name: string, description: string) {
  return parameterText.optional()
    .refine((text) => text === undefined || storableText(text), {
      error: "must not hold the character NUL",
    })
    .transform((text) => (text === undefined || text.trim() === "" ? undefined : text))
    .openapi({ param: { name, in: "query", required: false, description }, type: "string" });
}

/** A query parameter that must be given, with a closed set of values. */
export function requiredEnumQuery<const T extends [string, ...string[]]>(name: string, values: T) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` })
    .openapi({ param: { name, in: "query", required: true } });
}

/** A pattern for ILIKE that finds `text` anywhere, letter by letter. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
