import type { Context } from "#platform/context.ts";
import { validTraceparent } from "#platform/telemetry/trace-context.ts";
import {
  context,
  defaultTextMapGetter,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { z } from "zod";
import {
  type AlertEventRecord,
  alertEventTypes,
  type AlertType,
  alertTypes,
} from "#contract/alerts.ts";
import {
  alertEventHeaders,
  alertEvents,
  alertEventType,
  alertEventVersion,
} from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { messageOf, PermanentError } from "#kit/errors.ts";
import { markPublished } from "./feed.queries.ts";
import { EventLogFailure, type ReaderStatusReporter } from "./status.ts";

/** A row of `alert_event` as it came, from the write-ahead log or the table. */
export type RawRow = Record<string, unknown>;

/** What becomes of a row: a record for the event log, or a reason why it cannot be one. */
export type Announcement =
  | { kind: "record"; id: number; row: RawRow; at: number; record: NewRecord }
  | { kind: "poison"; id: number | null; row: RawRow; reason: string; message: string };

interface AnnouncerDeps extends Pick<Context, "db" | "events" | "log" | "metrics"> {
  status: ReaderStatusReporter;
}

type Readable = Announcement & { kind: "record" };
type Poison = Announcement & { kind: "poison" };

const publishMs = 5_000;
const tracer = trace.getTracer("tributary.notifier");
const encoder = new TextEncoder();

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
      const { reason, message } = error;
      await this.#quarantine({ kind: "poison", id, row, reason, message });
    }
  }

  async #send(batch: Readable[]): Promise<void> {
    const records = batch.map(({ record }) => record);
    await this.deps.events.publish(alertEvents, records, { timeoutMs: publishMs });
  }

  async #quarantine({ id, row, reason, message }: Poison): Promise<void> {
    const { log, status } = this.deps;
    log.error("alert change cannot be announced", { event: id, reason, message });
    status.quarantined(reason);
    const record = {
      topic: alertEvents,
      partition: 0,
      offset: id ?? 0,
      key: row.alert_id === undefined ? null : String(row.alert_id),
      value: encoder.encode(JSON.stringify(row)),
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

const AlertEventRow = z.object({
  id: z.int().positive(),
  alert_id: z.int().positive(),
  entity_id: z.int().positive().nullable(),
  alert_type: z.int().min(1).max(alertTypes.length),
  event_type: z.enum(alertEventTypes),
  event_at: z.date(),
  updated_by: z.string().nullable(),
  traceparent: z.string().nullable(),
});

/** Never throws: a row that makes no sense is poison. */
export function announcementOf(row: RawRow): Announcement {
  const parsed = AlertEventRow.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const message = `${issue?.path.join(".") ?? "row"}: ${issue?.message ?? "unreadable"}`;
    return { kind: "poison", id: idOf(row), row, reason: "alert_event_unreadable", message };
  }
  const { id, alert_id, event_at, alert_type, traceparent, ...rest } = parsed.data;
  const value: AlertEventRecord = {
    id,
    alert_id,
    ...rest,
    alert_type: alertTypes[alert_type - 1] as AlertType,
    event_at: event_at.toISOString(),
  };
  const headers = headersOf(id, traceparent);
  const record = { key: String(alert_id), value: encoder.encode(JSON.stringify(value)), headers };
  return { kind: "record", id, row, at: event_at.getTime(), record };
}

function headersOf(id: number, traceparent: string | null): Record<string, string> {
  return {
    [alertEventHeaders.type]: alertEventType,
    [alertEventHeaders.version]: alertEventVersion,
    [alertEventHeaders.event]: String(id),
    ...(traceparent !== null && validTraceparent.test(traceparent) &&
      { [alertEventHeaders.traceparent]: traceparent }),
  };
}

function idOf({ id }: RawRow): number | null {
  return Number.isSafeInteger(id) ? id as number : null;
}
