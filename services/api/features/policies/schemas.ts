import { z } from "@hono/zod-openapi";
import { pageOf } from "#contract/catalogue/common.ts";
import { NameInput } from "#contract/catalogue/forms.ts";
import { Policy } from "#contract/catalogue/people.ts";
import { Id } from "#contract/http.ts";
import { StorableText } from "#contract/text.ts";
import { maxDocument } from "#services/api/access/permissions/policy/limits.ts";
import { parsePolicy } from "#services/api/access/permissions/policy/parse.ts";

export const PolicyList = pageOf("PolicyList", Policy);

export const PolicyDetails = z.object({
  id: Id,
  name: z.string(),
  policy: z.string().openapi({ description: "The document as it was given" }),
}).openapi("PolicyDetails");

/** The text of a sound policy document; whatever is wrong with it is named by its place. */
const PolicyText = StorableText
  .max(maxDocument, { error: `must be at most ${maxDocument} characters long`, abort: true })
  .superRefine((text, context) => {
    const parsed = parsePolicy(text);
    if ("document" in parsed) return;
    for (const problem of parsed.problems) context.addIssue({ code: "custom", ...problem });
  }).openapi({ description: "JSON text, as the schema of policies says" });

export const PolicyForm = z.object({ name: NameInput, policy: PolicyText })
  .openapi("PolicyFormData");
export type PolicyForm = z.output<typeof PolicyForm>;

/** A JSON schema, of draft 2020-12. */
export const JsonSchema = z.looseObject({}).openapi("PolicySchema");
