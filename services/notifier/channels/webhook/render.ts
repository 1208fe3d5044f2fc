import { createHmac } from "node:crypto";
import type { OutgoingMessage } from "#services/notifier/channels/channel.ts";

export interface WebhookRequest {
  body: string;
  headers: Record<string, string>;
}

/**
 * Body and headers of one delivery: `webhook-id` is the same over all attempts, `webhook-timestamp`
 * (seconds) is that of this one, and both are signed with the body (standardwebhooks.com).
 */
export function webhookRequest(
  { deliveryId, message }: OutgoingMessage,
  key: Uint8Array | null,
  now: number,
): WebhookRequest {
  const body = JSON.stringify(message);
  const timestamp = String(Math.floor(now / 1_000));
  const headers = { "webhook-id": deliveryId, "webhook-timestamp": timestamp };
  if (!key) return { body, headers };
  const signed = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.${body}`);
  return { body, headers: { ...headers, "webhook-signature": `v1,${signed.digest("base64")}` } };
}
