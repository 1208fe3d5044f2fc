import type { Metrics } from "#kit/metrics.ts";
import { ChatEventCounter } from "#platform/chat/port.ts";
import type { OutboxMetrics } from "#platform/outbox/queue.ts";

export class MessageMetrics extends ChatEventCounter {
  readonly #attempts;
  readonly #pending;
  readonly #oldest;
  readonly #failed;
  readonly #eventsPending;
  readonly #eventsFailed;

  constructor(metrics: Metrics) {
    super(metrics);
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
    this.#eventsPending = metrics.gauge(
      "tributary_chat_events_pending",
      "Replies at the chat provider waiting to be read",
    );
    this.#eventsFailed = metrics.gauge(
      "tributary_chat_events_unprocessed",
      "Replies at the chat provider that could not be read",
    );
  }

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
