import { z } from "@hono/zod-openapi";
import { ReplacingDescription, ReplacingName } from "#contract/catalogue/forms.ts";
import { LinkedTerm } from "#contract/catalogue/terms.ts";

/** A description in Markdown; null or blank: none. */
export const InternalDescriptionForm = z.object({ internal_description: ReplacingDescription })
  .openapi("InternalDescriptionFormData");

/** Null or blank: none. */
export const InternalNameForm = z.object({ internal_name: ReplacingName })
  .openapi("InternalNameFormData");

/** `internal_description` is empty where there is none. */
export const InternalDescription = z.object({
  internal_description: z.string(),
  terms: z.array(LinkedTerm),
}).openapi("InternalDescription");

/** Empty where there is none. */
export const InternalName = z.object({ internal_name: z.string() }).openapi("InternalName");
