import type { Metrics } from "#kit/metrics.ts";
import type { OutboxMetrics } from "#platform/outbox/queue.ts";

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

  /** What the outbox of messages measures. */
  get messages(): OutboxMetrics {
    return {
      recorded: ({ result }) => this.#attempts.inc({ outcome: attemptOutcomes[result.state] }),
      queue: ({ pending, oldest, failed = 0 }) => {
        this.#pending.set({}, pending);
        this.#oldest.set({}, oldest);
        this.#failed.set({}, failed);
      },
    };
  }

  event(outcome: EventOutcome): void {
    this.#events.inc({ outcome });
  }

  /** What the outbox of events measures. */
  get events(): OutboxMetrics {
    return {
      recorded: ({ result }) => {
        if (result.state === "failed") this.event("failed");
      },
      queue: ({ pending, failed = 0 }) => {
        this.#eventsPending.set({}, pending);
        this.#eventsFailed.set({}, failed);
      },
    };
  }
}

const attemptOutcomes = { delivered: "sent", pending: "later", failed: "failed" } as const;
