import { z } from "@hono/zod-openapi";
import { maxCatrnBytes } from "#contract/entities.ts";

/** Text that PostgreSQL can store, without blanks around it. */
const storable = z.string()
  .refine((text) => text.isWellFormed() && !text.includes("\0"), {
    error: "must not hold the character NUL or half a surrogate pair",
  })
  .transform((text) => text.trim());

/** A name as people give it: 1 to 255 characters, blanks around it dropped. */
export const NameInput = storable.pipe(
  z.string().min(1, { error: "must not be empty" }).max(255, { error: "must be at most 255 long" }),
);

/** An optional text; absent leaves what there is, null or blank empties it. */
function optionalText(most: number) {
  return storable.pipe(z.string().max(most, { error: `must be at most ${most} long` }))
    .transform((text) => (text === "" ? null : text)).nullish();
}
export const OptionalName = optionalText(255);
export const OptionalDescription = optionalText(100_000);

/** The CATRN of something that is registered. */
export const CatrnInput = storable.pipe(
  z.string().min(1, { error: "must not be empty" })
    .refine((text) => new TextEncoder().encode(text).length <= maxCatrnBytes, {
      error: `must be at most ${maxCatrnBytes} bytes`,
    }),
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
