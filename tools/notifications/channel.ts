import { type NotificationChannel, notificationChannels } from "#contract/notifications.ts";

/** The channel of a name that was given; undefined when none was, null when it is none. */
export function channelOf(name: string | undefined): NotificationChannel | undefined | null {
  return name === undefined ? undefined : notificationChannels.find((c) => c === name) ?? null;
}
