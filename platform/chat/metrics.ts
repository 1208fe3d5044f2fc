import type { Metrics } from "#kit/metrics.ts";

/** What came of an event of the provider. */
type EventOutcome =
  | "queued"
  | "repeated"
  | "filtered"
  | "unsigned"
  | "full"
  | "taken"
  | "failed";

/** Counts events of the provider: the API those that it receives, the chat service those that it processes. */
export class ChatEventCounter {
  readonly #events;

  constructor(metrics: Metrics) {
    this.#events = metrics.counter(
      "tributary_chat_events_total",
      "Events of the chat provider, by outcome",
      ["outcome"],
    );
  }

  event(outcome: EventOutcome): void {
    this.#events.inc({ outcome });
  }
}
