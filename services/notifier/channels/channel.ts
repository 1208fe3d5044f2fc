import type { AlertMessage, NotificationChannel } from "#contract/notifications.ts";

/** One message to one recipient. */
export interface OutgoingMessage {
  /** The same over all attempts, so that a receiver can detect duplicates. */
  deliveryId: string;
  /** One of the channel's `recipients`. */
  recipient: string;
  message: AlertMessage;
}

/** How an attempt ended. `cause` is for people and never holds a secret, a URL or a body. */
export type Outcome =
  | { kind: "delivered"; status?: number }
  /**
   * Worth another attempt. `pausesChannel`: it is not about this message (429, 5xx, no connection,
   * time out), so all of the channel waits. `afterMs`: as requested by the receiver.
   */
  | { kind: "retry"; cause: string; status?: number; afterMs?: number; pausesChannel: boolean }
  /** Will never be taken. */
  | { kind: "refused"; cause: string; status?: number };

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
