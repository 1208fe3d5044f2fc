import type { Channel, ChannelModule } from "#services/notifier/channels/channel.ts";
import { type ChatSettings, chatSettings } from "#services/notifier/channels/chat/config.ts";
import { chatBody } from "#services/notifier/channels/chat/render.ts";
import { postJson } from "#services/notifier/channels/http.ts";

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

export const chat: ChannelModule = {
  key: "chat.url",
  open({ config, baseUrl }) {
    const settings = chatSettings(config, baseUrl);
    return settings && chatChannel(settings);
  },
};
