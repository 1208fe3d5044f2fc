import {
  context,
  defaultTextMapGetter,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { alertEventHeaders, alertEvents } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { EventLog } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Database } from "#metadata/postgres/database.ts";
import type { ReaderStatusReporter } from "./status-reporter.ts";
import { markPublished } from "./feed.queries.ts";
import { EventLogFailure } from "./problems.ts";
import type { Announcement } from "./record.ts";

interface AnnouncerDeps {
  db: Database;
  events: EventLog;
  log: Logger;
  metrics: Metrics;
  status: ReaderStatusReporter;
}

type Readable = Announcement & { kind: "record" };
type Poison = Announcement & { kind: "poison" };

const publishMs = 5_000;
const tracer = trace.getTracer("tributary.notifier");

/** Puts changes of alerts into the event log and notes that they are there. */
export class Announcer {
  constructor(private readonly deps: AnnouncerDeps) {}

  /**
   * Resolves when the event log has the whole batch, poison being in the dead letters. Rejects with
   * `EventLogFailure`, or as the database does; then some of it may be there, and it is to be repeated.
   */
  async announce(batch: Announcement[], source: "stream" | "table"): Promise<void> {
    const readable = batch.filter((a) => a.kind === "record");
    if (readable.length > 0) await traced(readable, () => this.#publish(readable));
    for (const poison of batch.filter((a) => a.kind === "poison")) await this.#quarantine(poison);
    const ids = batch.flatMap(({ id }) => id ?? []);
    await this.deps.db.query(markPublished, [ids]);
    this.deps.status.published(readable, source);
  }

  /** One that the log refuses for good must not hold up the others. */
  async #publish(batch: Readable[]): Promise<void> {
    try {
      await this.#send(batch);
    } catch (error) {
      if (!(error instanceof PermanentError)) throw new EventLogFailure(error);
      if (batch.length > 1) {
        for (const one of batch) await this.#publish([one]);
        return;
      }
      const { id, row } = batch[0]!;
      await this.#quarantine({
        kind: "poison",
        id,
        row,
        reason: error.reason,
        message: error.message,
      });
    }
  }

  async #send(batch: Readable[]): Promise<void> {
    const records = batch.map(({ record }) => record);
    await this.deps.events.publish(alertEvents, records, { timeoutMs: publishMs });
  }

  async #quarantine({ id, row, reason, message }: Poison): Promise<void> {
    const { log, status: status } = this.deps;
    log.error("alert change cannot be announced", { event: id, reason, message });
    status.quarantined(reason);
    const record = {
      topic: alertEvents,
      partition: 0,
      offset: id ?? 0,
      key: row.alert_id === undefined ? null : String(row.alert_id),
      value: new TextEncoder().encode(JSON.stringify(row)),
      headers: { [alertEventHeaders.event]: String(id) },
      timestamp: Date.now(),
    };
    const description = `row ${id} of alert_event: ${message}`;
    const refused = { topic: alertEvents, record, reason, message: description, details: [] };
    await deadLetter(this.deps, refused).catch((error) => {
      throw new EventLogFailure(error);
    });
  }
}

/** A span around the publishing of a batch, linked to what changed the alerts. */
async function traced(batch: Readable[], work: () => Promise<void>): Promise<void> {
  const links = batch.flatMap(({ record }) => {
    const origin = propagation.extract(context.active(), record.headers, defaultTextMapGetter);
    const spanContext = trace.getSpanContext(origin);
    return spanContext ? [{ context: spanContext }] : [];
  });
  const attributes = { "tributary.alert_events": batch.length };
  const span = tracer.startSpan("announce alert events", {
    kind: SpanKind.PRODUCER,
    links,
    attributes,
  });
  try {
    await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
    throw error;
  } finally {
    span.end();
  }
}
