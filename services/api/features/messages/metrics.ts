import type { Metrics } from "#kit/metrics.ts";

/** What came of an event of the provider. */
export type EventOutcome =
  | "queued"
  | "repeated"
  | "filtered"
  | "unsigned"
  | "full"
  | "taken"
  | "failed";

/** Instruments of data collaboration. */
export class MessageMetrics {
  readonly #attempts;
  readonly #pending;
  readonly #oldest;
  readonly #failed;
  readonly #events;
  readonly #eventsPending;
  readonly #eventsFailed;

  constructor(metrics: Metrics) {
    this.#attempts = metrics.counter(
      "tributary_messages_attempts_total",
      "Attempts to send a message, by outcome: sent, later (waits), failed",
      ["outcome"],
    );
    this.#pending = metrics.gauge("tributary_messages_pending", "Messages waiting to be sent");
    this.#oldest = metrics.gauge(
      "tributary_messages_oldest_pending_seconds",
      "Age of the oldest message waiting to be sent",
    );
    this.#failed = metrics.gauge("tributary_messages_unsent", "Messages that failed");
    this.#events = metrics.counter(
      "tributary_chat_events_total",
      "Events of the chat provider, by outcome",
      ["outcome"],
    );
    this.#eventsPending = metrics.gauge(
      "tributary_chat_events_pending",
      "Replies at the chat provider waiting to be read",
    );
    this.#eventsFailed = metrics.gauge(
      "tributary_chat_events_unprocessed",
      "Replies at the chat provider that could not be read",
    );
  }

  attempt(outcome: "sent" | "later" | "failed"): void {
    this.#attempts.inc({ outcome });
  }

  queue(queue: { pending: number; oldest: number; failed: number }): void {
    this.#pending.set({}, queue.pending);
    this.#oldest.set({}, queue.oldest);
    this.#failed.set({}, queue.failed);
  }

  event(outcome: EventOutcome): void {
    this.#events.inc({ outcome });
  }

  eventQueue({ pending, failed }: { pending: number; failed: number }): void {
    this.#eventsPending.set({}, pending);
    this.#eventsFailed.set({}, failed);
  }
}
