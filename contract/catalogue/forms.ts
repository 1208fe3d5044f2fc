import { z } from "@hono/zod-openapi";
import { maxCatrnBytes } from "#contract/entities.ts";
import { fitsBytes } from "#contract/ingestion/values.ts";
import { givenText } from "#contract/text.ts";

/** A name entered by a user: 1 to 255 characters, surrounding blanks removed. */
export const NameInput = givenText({ min: 1, max: 255 });

/** An optional text: absent keeps the stored text; null or blank clears it. */
function optionalText(most: number) {
  return givenText({ max: most }).transform((text) => (text === "" ? null : text)).nullish();
}
export const OptionalName = optionalText(255);
export const OptionalDescription = optionalText(100_000);

/** The CATRN of a resource that is being registered. */
export const CatrnInput = givenText({ min: 1, max: maxCatrnBytes }).refine(
  (text) => fitsBytes(text, maxCatrnBytes),
  { error: `must be at most ${maxCatrnBytes} bytes` },
);

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
