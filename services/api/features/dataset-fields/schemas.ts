import { z } from "@hono/zod-openapi";
import { boundedArray } from "#contract/bounded.ts";
import { IndexedName, OptionalDescription } from "#contract/catalogue/inputs.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";
import { Id } from "#contract/http.ts";
import { maxTags } from "#services/api/features/tags/service.ts";

/** Most enum values that people give one field. */
export const maxEnumValues = 1_000;

/** Maximum number of terms that one field is linked with by hand. */
export const maxTerms = 1_000;

/** A description in Markdown. Absent: as it is; null or blank: none. */
export const FieldDescriptionForm = z.object({ description: OptionalDescription })
  .openapi("DatasetFieldDescriptionUpdateFormData");

/** Empty where there is none. */
export const FieldDescription = z.object({ description: z.string(), terms: z.array(LinkedTerm) })
  .openapi("DataSetFieldDescription");

/** All tags that a field is to have by hand. Absent or null: as they are. */
export const FieldTagsForm = z.object({ tags: boundedArray(IndexedName, maxTags).nullish() })
  .openapi("DatasetFieldTagsUpdateFormData");

/** With `id`, that value; else the one of this name, made if missing. */
export const EnumValueForm = z.object({
  id: Id.nullish(),
  name: IndexedName,
  description: OptionalDescription,
}).openapi("EnumValueFormData");
export type EnumValueForm = z.output<typeof EnumValueForm>;

/** All values that a field is to have by hand. Absent or null: as they are. */
export const BulkEnumValueForm = z.object({
  items: boundedArray(EnumValueForm, maxEnumValues).nullish(),
}).openapi("BulkEnumValueFormData");

export const FieldTermForm = z.object({ term_id: Id }).openapi("DatasetFieldTermFormData");
