import type { NotificationChannel } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import type { Channel, ChannelModule } from "#services/notifier/channels/channel.ts";
import { chat } from "#services/notifier/channels/chat/send.ts";
import { email } from "#services/notifier/channels/email/send.ts";
import { webhook } from "#services/notifier/channels/webhook/send.ts";

const modules: Record<NotificationChannel, ChannelModule> = { chat, webhook, email };

/**
 * Opens every channel that is configured. None is allowed: alerts are then recorded but sent to
 * nobody, which is logged. Throws when a configured file cannot be read.
 */
export function openChannels(
  context: Pick<Context, "config" | "baseUrl" | "clock" | "log">,
): Channel[] {
  const all = Object.values(modules);
  const channels = all.flatMap((module) => module.open(context) ?? []);
  if (channels.length === 0) {
    context.log.warn("no receiver of notifications is configured, so alerts are not announced", {
      keys: all.map(({ key }) => `notifications.receivers.${key}`).join(", "),
    });
  }
  return channels;
}
