import type { Metrics } from "#kit/metrics.ts";
import type { OutboxMetrics } from "#platform/outbox/queue.ts";

/** What the notifier counts between the event log and the receivers. */
export function deliveryMetrics(metrics: Metrics) {
  const changes = metrics.counter(
    "tributary_notifier_changes_total",
    "Changes of alerts by outcome: announced, suppressed, held, merged, quarantined, " +
      "repeated (known before), or skipped (quarantined, and the delivery log cannot hold that)",
    ["outcome"],
  );
  const attempts = metrics.counter(
    "tributary_notifier_attempts_total",
    "Attempts to send, by outcome",
    ["channel", "outcome"],
  );
  const seconds = metrics.histogram(
    "tributary_notifier_attempt_seconds",
    "Duration of attempts to send",
    ["channel"],
  );
  const ended = metrics.counter(
    "tributary_notifier_deliveries_total",
    "Finished deliveries, by outcome: delivered or failed",
    ["channel", "outcome"],
  );
  const pending = metrics.gauge(
    "tributary_notifier_pending_deliveries",
    "Deliveries waiting to be sent",
    ["channel"],
  );
  const oldest = metrics.gauge(
    "tributary_notifier_oldest_pending_seconds",
    "Age of the oldest delivery waiting to be sent; 0 if there is none",
    ["channel"],
  );
  const paused = metrics.gauge(
    "tributary_notifier_channel_paused",
    "1 while a channel is paused after a failure of its receiver",
    ["channel"],
  );
  return {
    change(outcome: string, count = 1): void {
      if (count > 0) changes.inc({ outcome }, count);
    },

    /** What the outbox of a channel measures. */
    of(channel: string): Required<OutboxMetrics> {
      return {
        recorded: ({ outcome, result: { state }, durationMs }) => {
          attempts.inc({ channel, outcome: outcome.kind });
          seconds.observe({ channel }, durationMs / 1_000);
          if (state !== "pending") ended.inc({ channel, outcome: state });
        },
        queue: (size) => {
          pending.set({ channel }, size.pending);
          oldest.set({ channel }, size.oldest);
        },
        paused: (isPaused) => paused.set({ channel }, isPaused ? 1 : 0),
      };
    },
  };
}
export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;
