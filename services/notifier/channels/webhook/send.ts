import type { Clock } from "#kit/clock.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { postJson } from "#services/notifier/channels/http.ts";
import type { WebhookSettings } from "#services/notifier/channels/webhook/config.ts";
import { webhookRequest } from "#services/notifier/channels/webhook/render.ts";

/** The generic webhook: the whole message as JSON. */
export function webhookChannel(settings: WebhookSettings, clock: Clock): Channel {
  const { target, key, concurrency } = settings;
  return {
    name: "webhook",
    recipients: [target.host],
    intervalMs: 0,
    concurrency,
    send(outgoing, signal) {
      const { body, headers } = webhookRequest(outgoing, key, clock.now());
      return postJson(target, body, headers, signal);
    },
    close: () => Promise.resolve(),
  };
}
