import { AppError } from "#kit/errors.ts";
import { type Accepted, acceptEvent, isRefused, type Refused, type Warning } from "./accept.ts";
import type { OpenLineageEvent } from "./event.ts";
import { parseLeniently } from "./json.ts";
import { keyOf } from "./key.ts";
import { valueOf } from "./record.ts";

/** An accepted event, ready to be published; plain data, so that a thread can hand it over. */
export interface TakenEvent {
  kind: OpenLineageEvent["kind"];
  /** Key and value of its record. */
  key: string;
  value: Uint8Array;
  /** Of its job or dataset. */
  namespace: string;
  name: string;
  /** The first parts that were left out or cut, and all of them by reason. */
  warnings: Warning[];
  dropped: [reason: Warning["reason"], count: number][];
  /** Facets that nothing here uses. */
  unused: number;
}

/** What becomes of one event. */
export type Judgement = { taken: TakenEvent } | { refused: Refused };

/** Judges the JSON of one event; never throws for what is wrong with it. */
export function judgeEvent(bytes: Uint8Array): Judgement {
  const value = valueIn(bytes);
  return value instanceof AppError ? unreadable(value) : judgeValue(value);
}

/** Judges a parsed event. */
export function judgeValue(value: unknown): Judgement {
  const verdict = acceptEvent(value);
  return isRefused(verdict) ? verdict : { taken: takenOf(verdict) };
}

function takenOf({ event, warnings, dropped, unused }: Accepted): TakenEvent {
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

function unreadable({ message }: AppError): Judgement {
  return { refused: { path: "", reason: message, unreadable: true } };
}
