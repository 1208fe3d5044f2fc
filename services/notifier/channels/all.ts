import type { Context } from "#platform/context.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { chatSettings } from "#services/notifier/channels/chat/config.ts";
import { chatChannel } from "#services/notifier/channels/chat/send.ts";
import { emailSettings } from "#services/notifier/channels/email/config.ts";
import { emailChannel } from "#services/notifier/channels/email/send.ts";
import { webhookSettings } from "#services/notifier/channels/webhook/config.ts";
import { webhookChannel } from "#services/notifier/channels/webhook/send.ts";

/**
 * Opens every channel that is configured. None is allowed: alerts are then recorded but sent to
 * nobody, which is logged. Throws when a configured file cannot be read.
 */
export function openChannels(
  { config, baseUrl, clock, log }: Pick<Context, "config" | "baseUrl" | "clock" | "log">,
) {
  const chat = chatSettings(config, baseUrl);
  const webhook = webhookSettings(config);
  const email = emailSettings(config, baseUrl);
  if (email?.password && !email.secure && !email.startTls) {
    log.warn("the mail password travels unencrypted: switch smtp.starttls on, or use smtps");
  }
  const channels: Channel[] = [
    ...(chat ? [chatChannel(chat)] : []),
    ...(webhook ? [webhookChannel(webhook, clock)] : []),
    ...(email ? [emailChannel(email)] : []),
  ];
  if (channels.length === 0) {
    log.warn("no receiver of notifications is configured, so alerts are not announced", {
      keys: "notifications.receivers.chat.url, .webhook.url or .email.host",
    });
  }
  return channels;
}
