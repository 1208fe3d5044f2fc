import { z } from "@hono/zod-openapi";
import { maxCatrnBytes } from "#contract/entities.ts";
import { fitsBytes, maxIndexedBytes } from "#contract/ingestion/values.ts";
import { givenName, givenText, maxName } from "#contract/text.ts";

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
export const CatrnInput = givenText({ min: 1, max: maxCatrnBytes }).refine(
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
