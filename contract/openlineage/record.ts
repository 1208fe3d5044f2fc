import { utcText } from "#contract/ingestion/values.ts";
import { PermanentError } from "#kit/errors.ts";
import { type AcceptedEvent, acceptEvent, isRefused, refusalText } from "./accept.ts";
import { isDeleted, type OpenLineageEvent, type RunEvent } from "./event.ts";
import { parseLeniently } from "./json.ts";

/** How an event came. */
export const origins = ["http", "kafka"] as const;
export type Origin = (typeof origins)[number];

/** Headers of records of `openlineage.events`. A record that a producer wrote there itself has none. */
export const eventHeaders = {
  /** When the event was received: milliseconds since the epoch. */
  receivedAt: "received-at",
  /** W3C trace context. */
  traceparent: "traceparent",
  /** `http` or `kafka`. */
  origin: "origin",
} as const;

/** How and when an event came. */
export interface Receipt {
  origin: Origin;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  traceparent?: string | undefined;
}

const encoder = new TextEncoder();

/** The value of an accepted event's record: JSON in the form of OpenLineage, cleaned. */
export function valueOf(event: OpenLineageEvent): Uint8Array {
  return encoder.encode(JSON.stringify(jsonOf(event)));
}

/** The headers of a record. */
export function headersOf({ origin, receivedAt, traceparent }: Receipt): Record<string, string> {
  return {
    [eventHeaders.receivedAt]: String(receivedAt),
    [eventHeaders.origin]: origin,
    ...(traceparent === undefined ? {} : { [eventHeaders.traceparent]: traceparent }),
  };
}

/** An accepted event in the form of OpenLineage, ready to be written as JSON. */
export function jsonOf(event: OpenLineageEvent): Record<string, unknown> {
  const { kind: _, eventTime, ...rest } = event;
  return { eventTime: utcText(eventTime), ...rest };
}

/** What a record says. */
export interface ReadEvent extends AcceptedEvent, Receipt {}

/** The parts of a log's record that are read. */
export interface StoredRecord {
  value: Uint8Array;
  headers: Record<string, string>;
  /** When the log received it, milliseconds since the epoch. */
  timestamp: number;
}

/** Milliseconds that the receiver's clock may be ahead of ours. */
const skewMs = 5 * 60 * 1_000;

/**
 * The event of a record, validated again: any client with write access to the log may have written it. A time of receipt that is
 * missing, or in the future, is that of the log. Throws `PermanentError` for what is no event.
 */
export function readRecord(record: StoredRecord, now: number): ReadEvent {
  const result = acceptEvent(parsed(record.value));
  if (isRefused(result)) {
    throw new PermanentError("not_an_event", refusalText(result.refused));
  }
  const { headers, timestamp } = record;
  const origin = origins.find((known) => known === headers[eventHeaders.origin]) ?? "kafka";
  const receivedAt = timeOf(headers[eventHeaders.receivedAt], now) ?? Math.min(timestamp, now);
  return { ...result, origin, receivedAt, traceparent: headers[eventHeaders.traceparent] };
}

function timeOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  const at = Number(text);
  return at <= now + skewMs ? at : undefined;
}

function parsed(value: Uint8Array): unknown {
  try {
    return parseLeniently(value);
  } catch (error) {
    throw new PermanentError("not_json", (error as Error).message);
  }
}

/**
 * The key of an event's record, as the clients' own Kafka transports write it: all runs of a job, and all
 * runs below one root, keep their order.
 */
export function keyOf(event: OpenLineageEvent): string {
  if (event.kind === "dataset") return `dataset:${nameOf(event.dataset)}`;
  if (event.kind === "job") return `job:${nameOf(event.job)}`;
  return `run:${nameOf(firstJobOf(event))}`;
}

/** The root of the chain of runs, else the parent, else the job itself. */
function firstJobOf({ run, job }: RunEvent) {
  const { parent } = run.facets;
  if (!parent || isDeleted(parent)) return job;
  return parent.root?.job ?? parent.job;
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}
