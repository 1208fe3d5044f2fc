import { evaluateEvent, type EventResult, eventSlices } from "#contract/openlineage/evaluate.ts";
import { tooLarge } from "#kit/errors.ts";

/** Largest body of one event, and of many, in bytes, after decompression. */
export const maxEventBytes = 5 * 1_048_576;
export const maxBatchBytes = 20 * 1_048_576;
/** Maximum number of events of one body. */
export const maxEvents = 1_000;
/** Bodies up to this size in bytes are evaluated on the event loop. */
export const inlineBytes = 64 * 1_024;
/** Maximum number of bodies that wait for the thread which evaluates larger ones. */
export const maxWaiting = 16;
/** Milliseconds that evaluating a body may take. */
export const deadlineMs = 60_000;
/** While a collector waits, the thread pauses this many times as long as it took for a body, up to so many milliseconds. */
export const cooldownFactor = 8;
export const maxCooldownMs = 1_000;

/** The events of a body, each evaluated separately. */
export interface EvaluatedBody {
  /** One event by itself, or a list. */
  form: "one" | "list";
  results: EventResult[];
}

/** Throws a 400 `AppError` for a body that cannot be split into events, 413 for too many. */
export function evaluateBody(bytes: Uint8Array, { lines }: { lines: boolean }): EvaluatedBody {
  const { form, slices } = eventSlices(bytes, { lines });
  if (slices.length > maxEvents) {
    throw tooLarge(`The body holds more than ${maxEvents} events`);
  }
  return { form, results: slices.map(({ from, to }) => evaluateEvent(bytes.subarray(from, to))) };
}
