import { z } from "@hono/zod-openapi";
import { pageQuery, storableParameter } from "#contract/http.ts";
import { maxCatrnBytes } from "#contract/entities.ts";
import { fitsBytes, maxIndexedBytes } from "#contract/ingestion/values.ts";
import { givenName, givenText, maxName } from "#contract/text.ts";

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

/** A name entered by a user: 1 to 255 characters, surrounding blanks removed. */
export const NameInput = givenName({ min: 1, max: maxName });

/** Longest description, in UTF-16 units. */
export const maxDescription = 100_000;

/** A text that takes the place of the stored one; null or blank clears it. */
function replacing(text: ReturnType<typeof givenText | typeof givenName>) {
  return text.transform((text) => (text === "" ? null : text)).nullable();
}
export const ReplacingName = replacing(givenName({ max: maxName }));
export const ReplacingDescription = replacing(givenText({ max: maxDescription }));

/** The same; absent keeps the stored text. */
export const OptionalName = ReplacingName.optional();
export const OptionalDescription = ReplacingDescription.optional();

/** A name by which something is unique, as long as those that collectors give; surrounding blanks removed. */
export const IndexedName = givenText({ min: 1, max: maxIndexedBytes }).refine(
  (text) => fitsBytes(text, maxIndexedBytes),
  { error: `must be at most ${maxIndexedBytes} bytes of UTF-8` },
);

/** `//`, the system, and what is within it. */
const resourceName = /^\/\/[^\s/]/;

/** The CATRN of a resource that is being registered. */
const CatrnInput = givenText({ min: 1, max: maxCatrnBytes }).refine(
  (text) => fitsBytes(text, maxCatrnBytes),
  { error: `must be at most ${maxCatrnBytes} bytes`, abort: true },
).refine((text) => text === "" || resourceName.test(text), {
  error: ({ input }) =>
    `must begin with // and the system, as in //postgresql/host/db.local (was ${
      String(input).slice(0, 80)
    })`,
});

export const NamespaceForm = z.object({ name: NameInput }).openapi("NamespaceFormData");
export const NamespaceUpdateForm = z.object({ name: NameInput })
  .openapi("NamespaceUpdateFormData");

export const DataSourceForm = z.object({
  name: NameInput,
  namespace_name: OptionalName,
  catrn: CatrnInput,
  description: OptionalDescription,
}).openapi("DataSourceFormData");
export type DataSourceForm = z.output<typeof DataSourceForm>;

export const DataSourceUpdateForm = z.object({
  name: NameInput.nullish(),
  namespace_name: OptionalName,
  description: OptionalDescription,
}).openapi("DataSourceUpdateFormData");
export type DataSourceUpdateForm = z.output<typeof DataSourceUpdateForm>;

export const CollectorForm = z.object({
  name: NameInput,
  namespace_name: OptionalName,
  description: OptionalDescription,
}).openapi("CollectorFormData");
export type CollectorForm = z.output<typeof CollectorForm>;
