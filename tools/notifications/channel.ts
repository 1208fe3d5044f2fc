import { type NotificationChannel, notificationChannels } from "#contract/notifications.ts";

/** The channel with the given name; undefined without a name, null for an unknown one. */
export function channelOf(name: string | undefined): NotificationChannel | undefined | null {
  return name === undefined ? undefined : notificationChannels.find((c) => c === name) ?? null;
}
