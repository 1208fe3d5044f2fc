import { elementsOf, skipSpace, skipValue, type Slice } from "#contract/ingestion/bytes.ts";
import { markLength } from "#contract/ingestion/parse.ts";
import { AppError, badRequest } from "#kit/errors.ts";
import {
  type AcceptedEvent,
  acceptEvent,
  type EventRefusal,
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
export type EventResult = { accepted: PublishableEvent } | { refused: EventRefusal };

/** Judges the JSON of one event; never throws for what is wrong with it. */
export function evaluateEvent(bytes: Uint8Array): EventResult {
  let value: unknown;
  try {
    value = parseLeniently(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { path: "", reason: error.message, unreadable: true } };
  }
  const result = acceptEvent(value);
  return isRefused(result) ? result : { accepted: publishableOf(result) };
}

function publishableOf({ event, warnings, dropped, unused }: AcceptedEvent): PublishableEvent {
  const { namespace, name } = event.kind === "dataset" ? event.dataset : event.job;
  const { kind } = event;
  const record = { key: keyOf(event), value: valueOf(event) };
  return { kind, ...record, namespace, name, warnings, dropped: [...dropped], unused };
}

/** The events of a body, each as the bytes of its JSON. */
interface EventSlices {
  /** One event by itself, or a list. */
  form: "one" | "list";
  slices: Slice[];
}

const newline = 0x0a;
const bracketOpen = 0x5b;
const bracketClose = 0x5d;

/**
 * Finds the events of a body: one object, a JSON array, or lines of JSON (`lines`, or where a second value follows the
 * first). Throws a 400 `AppError` for an array that is not closed, or with something behind it.
 */
export function eventSlices(bytes: Uint8Array, { lines }: { lines: boolean }): EventSlices {
  const start = skipSpace(bytes, markLength(bytes));
  if (bytes[start] === bracketOpen) {
    const slices = [...elementsOf(bytes, start)];
    if (isClosed(bytes, slices.at(-1)?.to ?? start + 1)) return { form: "list", slices };
    if (!lines) throw badRequest("The body is not valid JSON: its array is not closed properly");
  }
  const end = skipValue(bytes, start);
  const isAlone = skipSpace(bytes, end) >= bytes.length;
  if (isAlone && !lines) return { form: "one", slices: [{ from: start, to: end }] };
  if (!lines && !endsLine(bytes, end)) {
    return { form: "one", slices: [{ from: start, to: bytes.length }] };
  }
  return { form: "list", slices: linesOf(bytes, start) };
}

/** Whether only the closing bracket follows. */
function isClosed(bytes: Uint8Array, at: number): boolean {
  const end = skipSpace(bytes, at);
  return bytes[end] === bracketClose && skipSpace(bytes, end + 1) >= bytes.length;
}

/** Whether a line ends at `at`, white space aside. */
function endsLine(bytes: Uint8Array, at: number): boolean {
  return bytes.subarray(at, skipSpace(bytes, at)).includes(newline);
}

function linesOf(bytes: Uint8Array, start: number): Slice[] {
  const slices: Slice[] = [];
  for (let from = start; from < bytes.length;) {
    const found = bytes.indexOf(newline, from);
    const to = found < 0 ? bytes.length : found;
    if (skipSpace(bytes, from) < to) slices.push({ from, to });
    from = to + 1;
  }
  return slices;
}
