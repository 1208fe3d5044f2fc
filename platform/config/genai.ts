import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";

/** The service that answers questions in natural language. */
export const genai = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether questions are forwarded to the service; off: they are refused",
  ),
  url: z.url({ protocol: /^https?$/ }).optional().describe(
    "Base address of the service that answers questions; they are posted to `<url>/query_data`",
  ),
  request_timeout: z.int().min(0).max(1_440).default(0).describe(
    "Timeout of an answer in whole minutes, 1 to 1440; required when `genai.enabled` is on",
  ),
}).superRefine(({ enabled, url, request_timeout }, context) => {
  if (!enabled) return;
  demands(context).demand(url, ["url"], "genai.enabled is on");
  if (request_timeout > 0) return;
  const message =
    "must be 1 to 1440 minutes when genai.enabled is on: with 0 no question is answered";
  context.addIssue({ code: "custom", path: ["request_timeout"], message });
});
