import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Texts, textsIn } from "#platform/messages/texts.ts";
import { type HttpTarget, httpTarget } from "#services/notifier/channels/http.ts";

export interface ChatSettings {
  target: HttpTarget;
  /** Milliseconds between two messages. */
  intervalMs: number;
  /** Start of every link. */
  baseUrl: () => string;
  texts: Texts;
}

/** The settings of the chat webhook; null when none is configured. */
export function chatSettings(
  config: Config,
  baseUrl = () => baseUrlOf(config),
): ChatSettings | null {
  const { notifications } = config;
  const { url, interval } = notifications.receivers.chat;
  if (!url) return null;
  return {
    target: httpTarget(url, notifications.delivery.timeout),
    intervalMs: interval,
    baseUrl,
    texts: textsIn(config.catalog.language),
  };
}
