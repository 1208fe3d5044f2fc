import { z } from "@hono/zod-openapi";
import { maxParameterText, storableParameter } from "#contract/http.ts";

/**
 * At most `max` texts, one for each repetition of the parameter and taken as they are: with commas, blanks, or empty.
 * Absent means an empty list.
 */
export function textsQuery(name: string, max: number, description: string) {
  return z.union([storableParameter, z.array(storableParameter)]).optional()
    .transform((value) => (value === undefined ? [] : [value].flat()))
    .refine((texts) => texts.length <= max, { error: `must hold at most ${max} values` })
    .openapi({
      param: { name, in: "query", required: false, explode: true, style: "form", description },
      type: "array",
      items: { type: "string", maxLength: maxParameterText },
      maxItems: max,
    });
}
