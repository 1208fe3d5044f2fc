import type { AlertMessage, NotificationChannel } from "#contract/notifications.ts";
import type { Outcome } from "#platform/outbox/outcome.ts";

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
