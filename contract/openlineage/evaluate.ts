import { AppError } from "#kit/errors.ts";
import {
  type AcceptedEvent,
  acceptEvent,
  type EventRejection,
  type IntakeWarning,
  isRefused,
} from "./accept.ts";
import type { OpenLineageEvent } from "./event.ts";
import { parseLeniently } from "./json.ts";
import { keyOf, valueOf } from "./record.ts";

/** An accepted event, ready to be published; plain data, so that a thread can hand it over. */
export interface PublishableEvent {
  kind: OpenLineageEvent["kind"];
  /** Key and value of its record. */
  key: string;
  value: Uint8Array;
  /** Of its job or dataset. */
  namespace: string;
  name: string;
  /** The first parts that were left out or cut, and all of them by reason. */
  warnings: IntakeWarning[];
  dropped: [reason: IntakeWarning["reason"], count: number][];
  /** Facets that nothing here uses. */
  unused: number;
}

/** What becomes of one event. */
export type EventResult = { accepted: PublishableEvent } | { refused: EventRejection };

/** Judges the JSON of one event; never throws for what is wrong with it. */
export function evaluateEvent(bytes: Uint8Array): EventResult {
  const value = valueIn(bytes);
  if (value instanceof AppError) return unreadable(value);
  const result = acceptEvent(value);
  return isRefused(result) ? result : { accepted: publishableOf(result) };
}

function publishableOf({ event, warnings, dropped, unused }: AcceptedEvent): PublishableEvent {
  const { namespace, name } = event.kind === "dataset" ? event.dataset : event.job;
  const { kind } = event;
  const record = { key: keyOf(event), value: valueOf(event) };
  return { kind, ...record, namespace, name, warnings, dropped: [...dropped], unused };
}

function valueIn(bytes: Uint8Array): unknown {
  try {
    return parseLeniently(bytes);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function unreadable({ message }: AppError): EventResult {
  return { refused: { path: "", reason: message, unreadable: true } };
}
