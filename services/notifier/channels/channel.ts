import type { AlertMessage, NotificationChannel } from "#contract/notifications.ts";
import type { Context } from "#platform/context.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";
import type { Deadline } from "#platform/outbound/deadline.ts";

/** One message to one recipient. */
export interface OutgoingMessage {
  /** The same over all attempts, so that a receiver can detect duplicates. */
  deliveryId: string;
  /** One of the channel's `recipients`. */
  recipient: string;
  message: AlertMessage;
}

/** A channel of notifications. Sending never throws; a failure is an `Outcome`. */
export interface Channel {
  readonly name: NotificationChannel;
  /** Whom it reaches, in words that may be shown: a host name, a mail address. */
  readonly recipients: readonly string[];
  /** Shortest time between two sends over all replicas, milliseconds; 0: none. */
  readonly intervalMs: number;
  /** Attempts at once. */
  readonly concurrency: number;
  /** One attempt; ends within the configured timeout, or soon after `signal` aborts. */
  send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** A kind of channel: all that a folder of channels exports to the others. */
export interface ChannelModule {
  /** The key that configures it, below `notifications.receivers`. */
  readonly key: string;
  /** Opens it; null where it is not configured. Throws when a configured file cannot be read. */
  open(context: Pick<Context, "config" | "baseUrl" | "clock" | "log">): Channel | null;
}

/** An attempt that ran into its deadline; null when it did not. */
export function deadlineOutcome(deadline: Deadline, timeoutMs: number): Outcome | null {
  switch (deadline.ended()) {
    case "time":
      return { kind: "retry", cause: `no answer within ${timeoutMs} ms`, pausesChannel: true };
    case "stopped":
      return { kind: "retry", cause: "stopped while it was being sent", pausesChannel: false };
    case null:
      return null;
  }
}
