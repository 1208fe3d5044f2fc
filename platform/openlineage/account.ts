import {
  type EventRejection,
  type IntakeWarning,
  refusalText,
} from "#contract/openlineage/accept.ts";
import type { PublishableEvent } from "#contract/openlineage/evaluate.ts";
import type { Origin } from "#contract/openlineage/record.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";

/** Reported by an intake warning. */
interface Subject {
  namespace: string;
  name: string;
}

const nobody: Subject = { namespace: "", name: "" };

/** Counts the outcome of events, and records intake warnings for what was rejected or dropped. */
export class EventAccount {
  readonly #events;
  readonly #droppedParts;

  constructor(
    metrics: Metrics,
    private readonly intakeWarnings: IntakeWarnings,
    private readonly via: Origin,
  ) {
    this.#events = metrics.counter(
      "tributary_openlineage_events_total",
      "OpenLineage events by subject, outcome and origin",
      ["kind", "outcome", "via"],
    );
    this.#droppedParts = metrics.counter(
      "tributary_openlineage_dropped_parts_total",
      "Parts of accepted OpenLineage events that were dropped or truncated, and facets that are not used",
      ["reason"],
    );
  }

  /** An event that is in the event log. */
  accepted(event: PublishableEvent): void {
    this.#count(event.kind, "accepted");
    for (const [reason, count] of event.dropped) this.#droppedParts.inc({ reason }, count);
    if (event.unused > 0) this.#droppedParts.inc({ reason: "unused_facet" }, event.unused);
    for (const [reason, count] of countsByReason(event.warnings)) {
      this.#complain(event, "dropped", reason, count);
    }
  }

  /** An event that was rejected completely. */
  refused(refused: EventRejection): void {
    this.#count("unknown", "refused");
    const reason = refused.unreadable ? "the event is no JSON that is taken" : refusalText(refused);
    this.#complain(nobody, "refused", reason);
  }

  /** An event that is too large for the event log. */
  tooLarge(event: PublishableEvent): void {
    this.#count(event.kind, "refused");
    this.#complain(event, "refused", "the event is larger than the event log takes");
  }

  /** Events that the event log did not accept; their sender was asked to retry. */
  failed(events: PublishableEvent[]): void {
    for (const { kind } of events) this.#count(kind, "failed");
  }

  /** Something that holds no events at all. */
  unreadable(reason: string): void {
    this.#count("unknown", "unreadable");
    this.#complain(nobody, "unreadable", reason);
  }

  #count(kind: string, outcome: string): void {
    this.#events.inc({ kind, outcome, via: this.via });
  }

  #complain({ namespace, name }: Subject, kind: string, reason: string, count = 1): void {
    this.intakeWarnings.note({ namespace, name, kind, reason }, count);
  }
}

/** How often each intake warning is recorded for one event. */
function countsByReason(warnings: IntakeWarning[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { place, message } of warnings) {
    const reason = `${place}: ${message}`;
    found.set(reason, (found.get(reason) ?? 0) + 1);
  }
  return found;
}
