import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";

/** The service that answers questions in natural language. */
export const genai = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether questions are passed on; off: each is refused",
  ),
  url: z.url({ protocol: /^https?$/ }).optional().describe(
    "Address of the service that answers questions, which are posted to `<url>/query_data`",
  ),
  request_timeout: z.int().min(0).max(1_440).default(0).describe(
    "Longest time of an answer, in whole minutes; with 0 every question fails at once",
  ),
}).superRefine(({ enabled, url }, context) => {
  if (enabled) demands(context).demand(url, ["url"], "genai.enabled is on");
});
