import { eventSlices } from "#contract/openlineage/body.ts";
import { evaluateEvent, type EventResult } from "#contract/openlineage/evaluate.ts";
import { AppError } from "#kit/errors.ts";
import { maxEvents } from "./bounds.ts";

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
    throw new AppError(`The body holds more than ${maxEvents} events`, {
      status: 413,
      code: "USR001",
      resolvable: true,
    });
  }
  return { form, results: slices.map(({ from, to }) => evaluateEvent(bytes.subarray(from, to))) };
}
