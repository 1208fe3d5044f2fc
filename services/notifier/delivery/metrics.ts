import type { Metrics } from "#kit/metrics.ts";
import type { OutboxMetrics } from "#platform/outbox/queue.ts";

/** What the notifier counts between the event log and the receivers. */
export class DeliveryMetrics {
  readonly #changes;
  readonly #attempts;
  readonly #seconds;
  readonly #ended;
  readonly #pending;
  readonly #oldest;
  readonly #paused;

  constructor(metrics: Metrics) {
    this.#changes = metrics.counter(
      "tributary_notifier_changes_total",
      "Changes of alerts by outcome: announced, suppressed, held, merged, quarantined, " +
        "repeated (known before), or skipped (quarantined, and the delivery log cannot hold that)",
      ["outcome"],
    );
    this.#attempts = metrics.counter(
      "tributary_notifier_attempts_total",
      "Attempts to send, by outcome",
      ["channel", "outcome"],
    );
    this.#seconds = metrics.histogram(
      "tributary_notifier_attempt_seconds",
      "Duration of attempts to send",
      ["channel"],
    );
    this.#ended = metrics.counter(
      "tributary_notifier_deliveries_total",
      "Finished deliveries, by outcome: delivered or failed",
      ["channel", "outcome"],
    );
    this.#pending = metrics.gauge(
      "tributary_notifier_pending_deliveries",
      "Deliveries waiting to be sent",
      ["channel"],
    );
    this.#oldest = metrics.gauge(
      "tributary_notifier_oldest_pending_seconds",
      "Age of the oldest delivery waiting to be sent; 0 if there is none",
      ["channel"],
    );
    this.#paused = metrics.gauge(
      "tributary_notifier_channel_paused",
      "1 while a channel is paused after a failure of its receiver",
      ["channel"],
    );
  }

  change(outcome: string, count = 1): void {
    if (count > 0) this.#changes.inc({ outcome }, count);
  }

  /** What the outbox of a channel measures. */
  of(channel: string): Required<OutboxMetrics> {
    return {
      recorded: ({ outcome, result: { state }, durationMs }) => {
        this.#attempts.inc({ channel, outcome: outcome.kind });
        this.#seconds.observe({ channel }, durationMs / 1_000);
        if (state !== "pending") this.#ended.inc({ channel, outcome: state });
      },
      queue: ({ pending, oldest }) => {
        this.#pending.set({ channel }, pending);
        this.#oldest.set({ channel }, oldest);
      },
      paused: (paused) => this.#paused.set({ channel }, paused ? 1 : 0),
    };
  }
}
