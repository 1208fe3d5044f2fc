import { z } from "@hono/zod-openapi";
import { pageQuery, storableParameter } from "#contract/http.ts";

/** An optional query parameter with a text to search for; blank counts as absent. */
export function searchQuery(name: string, description: string) {
  return storableParameter.optional()
    .transform((text) => (text === undefined || text.trim() === "" ? undefined : text))
    .openapi({ param: { name, in: "query", required: false, description }, type: "string" });
}

/** Query parameters of a list: the page, and a text that the items must contain. */
export function listQuery(description: string) {
  return z.object({ ...pageQuery, query: searchQuery("query", description) });
}

/** A query parameter with text that has to be given and is not empty. */
export function requiredTextQuery(name: string) {
  return storableParameter.min(1, { error: "must not be empty" }).openapi({
    param: { name, in: "query", required: true },
    type: "string",
  });
}

/** A required query parameter with a closed set of values. */
export function requiredEnumQuery<const T extends [string, ...string[]]>(name: string, values: T) {
  return z.enum(values, { error: `must be one of ${values.join(", ")}` })
    .openapi({ param: { name, in: "query", required: true } });
}

/** An ILIKE pattern that finds `text` anywhere, with its wildcard characters escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
