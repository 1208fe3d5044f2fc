import { z } from "zod";
import { demands } from "#platform/config/kinds.ts";

/** A token travels in a header, so it is visible ASCII. */
const headerToken = z.string().regex(/^[\x21-\x7e]+$/, "must be letters, digits and signs");

/** Discussions of entities in the channels of a chat provider. */
export const collaboration = z.strictObject({
  enabled: z.boolean().default(false).describe(
    "Whether people can discuss entities in channels of the chat provider; off: these operations return 404",
  ),
  "chat-oauth-token": headerToken.optional().describe(
    "Bot token of the app at the provider; required when collaboration is on",
  ),
  "signing-secret": z.string().min(1).optional().describe(
    "Signing secret of the app; events that it did not sign, or that are older than 5 " +
      "minutes, are refused. Unset: anybody who can reach `/api/chat/events` can forge events",
  ),
  "api-url": z.url({ protocol: /^https?$/ }).default("https://slack.com/api").describe(
    "Base address of the provider's Web API",
  ),
  "sending-messages-retry-count": z.int().min(0).max(1_000).default(3).describe(
    "Number of times a message that the provider did not accept is retried, one second apart",
  ),
}).superRefine((given, context) => {
  const { demand } = demands(context);
  if (given.enabled) demand(given["chat-oauth-token"], ["chat-oauth-token"], "enabled is true");
});
