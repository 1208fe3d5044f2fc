import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import type { Clock } from "#kit/clock.ts";
import type { Config } from "#platform/config/schema.ts";
import {
  type Channel,
  type ChannelModule,
  type HttpTarget,
  httpTarget,
  type OutgoingMessage,
  postJson,
} from "#services/notifier/channels/channel.ts";

/** The generic webhook: the whole message as JSON. */
export function webhookChannel(settings: WebhookSettings, clock: Clock): Channel {
  const { target, key } = settings;
  return {
    name: "webhook",
    recipients: [target.host],
    intervalMs: 0,
    concurrency: webhookConcurrency,
    send(outgoing, signal) {
      const { body, headers } = webhookRequest(outgoing, key, clock.now());
      return postJson(target, body, headers, signal);
    },
    close: () => Promise.resolve(),
  };
}

/** Deliveries at once. With 8, a burst is bound by the statements that claim and record them. */
export const webhookConcurrency = 16;

interface WebhookSettings {
  target: HttpTarget;
  /** Key of the signature; null: unsigned. */
  key: Uint8Array | null;
}

/** The settings of the generic webhook; null when none is configured. */
export function webhookSettings({ notifications }: Config): WebhookSettings | null {
  const { url, secret } = notifications.receivers.webhook;
  if (!url) return null;
  return {
    target: httpTarget(url, notifications.delivery.timeout),
    key: secret ? signingKey(secret) : null,
  };
}

/** `whsec_` and Base64, as receivers' libraries hand it out, or any other text as it is. */
function signingKey(secret: string): Uint8Array {
  const prefix = "whsec_";
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), "base64")
    : Buffer.from(secret, "utf8");
}

/**
 * Body and headers of one delivery: `webhook-id` is the same over all attempts, `webhook-timestamp`
 * (seconds) is that of this one, and both are signed with the body (standardwebhooks.com).
 */
function webhookRequest(
  { deliveryId, message }: OutgoingMessage,
  key: Uint8Array | null,
  now: number,
) {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(now / 1_000));
  const headers = { "webhook-id": deliveryId, "webhook-timestamp": timestamp };
  if (!key) return { body, headers };
  const signed = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.${body}`);
  return { body, headers: { ...headers, "webhook-signature": `v1,${signed.digest("base64")}` } };
}

export const webhook: ChannelModule = {
  key: "webhook.url",
  open({ config, clock }) {
    const settings = webhookSettings(config);
    return settings && webhookChannel(settings, clock);
  },
};
