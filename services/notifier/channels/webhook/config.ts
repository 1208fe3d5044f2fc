import { Buffer } from "node:buffer";
import type { Config } from "#platform/config/schema.ts";
import { type HttpTarget, httpTarget } from "#services/notifier/channels/http.ts";

export interface WebhookSettings {
  target: HttpTarget;
  /** Key of the signature; null: unsigned. */
  key: Uint8Array | null;
  concurrency: number;
}

/** The settings of the generic webhook; null when none is configured. */
export function webhookSettings({ notifications }: Config): WebhookSettings | null {
  const { url, secret } = notifications.receivers.webhook;
  if (!url) return null;
  return {
    target: httpTarget(url, notifications.delivery.timeout),
    key: secret ? signingKey(secret) : null,
    concurrency: 8,
  };
}

/** `whsec_` and Base64, as receivers' libraries hand it out, or any other text as it is. */
function signingKey(secret: string): Uint8Array {
  const prefix = "whsec_";
  return secret.startsWith(prefix)
    ? Buffer.from(secret.slice(prefix.length), "base64")
    : Buffer.from(secret, "utf8");
}
