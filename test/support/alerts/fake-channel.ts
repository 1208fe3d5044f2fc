import type { NotificationChannel } from "#contract/notifications.ts";
import type { Outcome } from "#platform/outbox/queue.ts";
import type { Channel, OutgoingMessage } from "#services/notifier/channels/channel.ts";

/** One call of `send` that a fake channel saw. */
export interface SentMessage extends OutgoingMessage {
  /** Of `performance.now()`. */
  at: number;
}

export interface FakeChannelOptions {
  name?: NotificationChannel;
  recipients?: string[];
  intervalMs?: number;
  concurrency?: number;
  /** How each attempt ends; delivered unless told. May throw, or never end. */
  answer?: (sent: SentMessage, signal: AbortSignal) => Outcome | Promise<Outcome>;
}

/** A channel whose receiver does what a test orders, and which remembers every attempt. */
export class FakeChannel implements Channel {
  readonly name: NotificationChannel;
  readonly recipients: string[];
  readonly intervalMs: number;
  readonly concurrency: number;
  readonly sent: SentMessage[] = [];
  closed = false;
  answer: NonNullable<FakeChannelOptions["answer"]>;

  constructor(options: FakeChannelOptions = {}) {
    this.name = options.name ?? "webhook";
    this.recipients = options.recipients ?? ["sink"];
    this.intervalMs = options.intervalMs ?? 0;
    this.concurrency = options.concurrency ?? 8;
    this.answer = options.answer ?? (() => ({ kind: "delivered" }));
  }

  async send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<Outcome> {
    const sent = { ...outgoing, at: performance.now() };
    this.sent.push(sent);
    return await this.answer(sent, signal);
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

export const sick: Outcome = { kind: "retry", cause: "the receiver failed", pausesChannel: true };
export const busy: Outcome = { kind: "retry", cause: "not now", pausesChannel: false };
export const refused: Outcome = { kind: "refused", cause: "not taken", status: 400 };
