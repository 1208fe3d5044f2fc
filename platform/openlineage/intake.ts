import {
  type EventRefusal,
  type IntakeWarning,
  refusalText,
} from "#contract/openlineage/accept.ts";
import type { EventResult, PublishableEvent } from "#contract/openlineage/evaluate.ts";
import { headersOf, type Origin, type Receipt } from "#contract/openlineage/record.ts";
import { maxEventRecordBytes } from "#contract/topics.ts";
import type { NewRecord } from "#eventlog/port.ts";
import type { Metrics } from "#kit/metrics.ts";
import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import { EventPublisher } from "./publisher.ts";

/** What is left of a record for its key, its headers and the log's own frame, bytes. */
const recordFrame = 64 * 1_024;

/** What became of the events of one request or record, all accepted ones being in the event log. */
export interface Outcome {
  accepted: number;
  /** Parts that were left out of the accepted ones. */
  warnings: number;
  /** The others, by their index. */
  refused: { index: number; refused: EventRefusal }[];
}

type Deps = Pick<Context, "db" | "events" | "clock" | "metrics" | "log">;

/** Writes evaluated events to the event log, counts them and records intake warnings; used by every intake. */
export class EventIntake {
  readonly account: EventAccount;
  readonly intakeWarnings: IntakeWarnings;
  readonly #publisher: EventPublisher;

  constructor(context: Deps, private readonly origin: Origin) {
    this.intakeWarnings = new IntakeWarnings(context);
    this.account = new EventAccount(context.metrics, this.intakeWarnings, origin);
    this.#publisher = new EventPublisher(context);
  }

  /** Resolves once the accepted events are durable. Rejects with 503 when none of them may be. */
  async take(results: EventResult[], received: Omit<Receipt, "origin">): Promise<Outcome> {
    const headers = headersOf({ ...received, origin: this.origin });
    const accepted: PublishableEvent[] = [];
    const refused: Outcome["refused"] = [];
    for (const [index, result] of results.entries()) {
      if ("accepted" in result && fits(result.accepted)) accepted.push(result.accepted);
      else refused.push({ index, refused: this.#refusal(result) });
    }
    await this.#publish(accepted, headers);
    let warnings = 0;
    for (const event of accepted) {
      this.account.accepted(event);
      for (const [, count] of event.dropped) warnings += count;
    }
    return { accepted: accepted.length, warnings, refused };
  }

  /** Writes the intake warnings that wait. */
  async stop(): Promise<void> {
    await this.intakeWarnings.flush();
  }

  #refusal(result: EventResult): EventRefusal {
    if ("refused" in result) {
      this.account.refused(result.refused);
      return result.refused;
    }
    this.account.tooLarge(result.accepted);
    return { path: "", reason: "the event is larger than the event log takes" };
  }

  async #publish(accepted: PublishableEvent[], headers: NewRecord["headers"]): Promise<void> {
    const records = accepted.map(({ key, value }) => ({ key, value, headers }));
    try {
      await this.#publisher.publish(records);
    } catch (error) {
      this.account.failed(accepted);
      throw error;
    }
  }
}

const fits = ({ value }: PublishableEvent) => value.byteLength <= maxEventRecordBytes - recordFrame;

/** Reported by an intake warning. */
interface Subject {
  namespace: string;
  name: string;
}

const nobody: Subject = { namespace: "", name: "" };

/** Counts the outcome of events, and records intake warnings for what was refused or dropped. */
class EventAccount {
  readonly #events;
  readonly #droppedParts;

  constructor(
    metrics: Metrics,
    private readonly intakeWarnings: IntakeWarnings,
    private readonly origin: Origin,
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

  /** An event that was refused completely. */
  refused(refused: EventRefusal): void {
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
    this.#events.inc({ kind, outcome, via: this.origin });
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
