import { z } from "@hono/zod-openapi";
import { NameInput } from "#contract/catalogue/inputs.ts";
import { Id } from "#contract/http.ts";
import { givenText } from "#contract/text.ts";

/** Longest definition of a term, in UTF-16 units. */
export const maxDefinition = 100_000;
/** Characters of a definition that are shown where a term is only referred to; a dataset may do so 12,000 times. */
export const shownDefinition = 1_000;

const Definition = givenText({ max: maxDefinition });
const instead = (key: string) => `Instead of \`${key}\`; one of them must be given`;

/**
 * The namespace is known by its name, and made if missing. The definition is Markdown, and may be empty. The published
 * interface calls both by two names; either is taken.
 */
export const TermForm = z.object({
  name: NameInput,
  namespace_name: NameInput.optional(),
  namespace: NameInput.optional().openapi({ description: instead("namespace_name") }),
  definition: Definition.optional(),
  description: Definition.optional().openapi({ description: instead("definition") }),
}).transform(({ name, namespace_name, namespace, definition, description }, context) => ({
  name,
  namespace_name: oneOf(
    { key: "namespace_name", value: namespace_name },
    { key: "namespace", value: namespace },
    context,
  ),
  definition: oneOf(
    { key: "definition", value: definition },
    { key: "description", value: description },
    context,
  ),
})).openapi("TermFormData");
export type TermForm = z.output<typeof TermForm>;

interface FormValue {
  key: string;
  value: string | undefined;
}

/** The value that is given under one of two keys, or the same under both. */
function oneOf(first: FormValue, other: FormValue, context: z.RefinementCtx): string {
  const issue = (path: string, message: string) => {
    context.addIssue({ code: "custom", path: [path], message });
    return "";
  };
  const value = first.value ?? other.value;
  if (value === undefined) return issue(first.key, `is required (or ${other.key})`);
  if (other.value !== undefined && other.value !== value) {
    return issue(other.key, `must be the same as ${first.key} where both are given`);
  }
  return value;
}

export const LinkedTermForm = z.object({ linked_term_id: Id }).openapi("LinkedTermFormData");
export const DataEntityTermForm = z.object({ term_id: Id }).openapi("DataEntityTermFormData");
