import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Texts, textsIn } from "#platform/messages/texts.ts";
import type { Channel, ChannelModule } from "#services/notifier/channels/channel.ts";
import { chatBody } from "#services/notifier/channels/chat/render.ts";
import { type HttpTarget, httpTarget, postJson } from "#services/notifier/channels/http.ts";

/** The chat provider's incoming webhook; one message at a time, since it takes about one a second. */
export function chatChannel({ target, intervalMs, baseUrl, texts }: ChatSettings): Channel {
  return {
    name: "chat",
    recipients: [target.host],
    intervalMs,
    concurrency: 1,
    send: ({ message }, signal) =>
      postJson(
        target,
        JSON.stringify(chatBody(message, { baseUrl: baseUrl(), texts })),
        {},
        signal,
      ),
    close: () => Promise.resolve(),
  };
}

interface ChatSettings {
  target: HttpTarget;
  /** Milliseconds between two messages. */
  intervalMs: number;
  /** Start of every link. */
  baseUrl: () => string;
  texts: Texts;
}

/** The settings of the chat webhook; null when none is configured. */
function chatSettings(
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

export const chat: ChannelModule = {
  key: "chat.url",
  open({ config, baseUrl }) {
    const settings = chatSettings(config, baseUrl);
    return settings && chatChannel(settings);
  },
};
