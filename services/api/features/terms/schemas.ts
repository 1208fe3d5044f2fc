import { z } from "@hono/zod-openapi";
import { NameInput } from "#contract/catalogue/forms.ts";
import { Id } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";

/** Longest definition of a term, in UTF-16 units. */
export const maxDefinition = 100_000;
/** Characters of a definition that are shown where a term is only referred to; a dataset may do so 12,000 times. */
export const shownDefinition = 1_000;

/** The namespace is known by its name, and made if missing. The definition is Markdown, and may be empty. */
export const TermForm = z.object({
  name: NameInput,
  namespace_name: NameInput,
  definition: givenText({ max: maxDefinition }),
}).openapi("TermFormData");
export type TermForm = z.output<typeof TermForm>;

export const LinkedTermForm = z.object({ linked_term_id: Id }).openapi("LinkedTermFormData");
export const DataEntityTermForm = z.object({ term_id: Id }).openapi("DataEntityTermFormData");
