import { z } from "@hono/zod-openapi";
import { pageQuery, storableParameter } from "#contract/http.ts";

/** An optional query parameter with text to look for; blank is the same as absent. */
export function searchQuery(name: string, description: string) {
  return storableParameter.optional()
    .transform((text) => (text === undefined || text.trim() === "" ? undefined : text))
    .openapi({ param: { name, in: "query", required: false, description }, type: "string" });
}

/** The query of a list: which page, and what its items must hold. */
export function listQuery(description: string) {
  return z.object({ ...pageQuery, query: searchQuery("query", description) });
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
