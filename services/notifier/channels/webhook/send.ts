import type { Clock } from "#kit/clock.ts";
import type { Channel, ChannelModule } from "#services/notifier/channels/channel.ts";
import { postJson } from "#services/notifier/channels/http.ts";
import {
  type WebhookSettings,
  webhookSettings,
} from "#services/notifier/channels/webhook/config.ts";
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

export const webhook: ChannelModule = {
  key: "webhook.url",
  open({ config, clock }) {
    const settings = webhookSettings(config);
    return settings && webhookChannel(settings, clock);
  },
};
