import { readAuthority } from "#platform/config/authority.ts";
import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Texts, textsIn } from "#platform/messages/texts.ts";

export interface EmailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** The connection must change to TLS. */
  startTls: boolean;
  /** Signs in as the sender; null: does not. */
  password: string | null;
  sender: string;
  recipients: string[];
  /** PEM of a private authority; null: those that the runtime trusts. */
  ca: string | null;
  timeoutMs: number;
  /** Start of every link. */
  baseUrl: () => string;
  texts: Texts;
}

/** The settings of mail; null when no server is configured. Throws when the authority is not read. */
export function emailSettings(
  config: Config,
  baseUrl = () => baseUrlOf(config),
): EmailSettings | null {
  const { notifications } = config;
  const email = notifications.receivers.email;
  if (!email.host) return null;
  return {
    host: email.host,
    port: email.port,
    secure: email.protocol === "smtps",
    startTls: email.smtp.starttls,
    password: email.smtp.auth ? email.password ?? "" : null,
    sender: email.sender ?? "",
    recipients: recipientsOf(email.notification.emails ?? ""),
    ca: readAuthority("notifications.receivers.email.tls.ca-file", email.tls["ca-file"]) ?? null,
    timeoutMs: notifications.delivery.timeout,
    baseUrl,
    texts: textsIn(config.catalog.language),
  };
}

/** The addresses of a list, each once whatever its case. */
function recipientsOf(list: string): string[] {
  const addresses = list.split(",").map((address) => address.trim()).filter((a) => a !== "");
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}
