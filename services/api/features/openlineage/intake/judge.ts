import { eventSlices } from "#contract/openlineage/body.ts";
import { judgeEvent, type Judgement } from "#contract/openlineage/judge.ts";
import { AppError } from "#kit/errors.ts";
import { maxEvents } from "./bounds.ts";

/** The events of a body, each judged by itself. */
export interface JudgedBody {
  /** One event by itself, or a list. */
  form: "one" | "list";
  judged: Judgement[];
}

/** Throws a 400 `AppError` for a body of which no events can be told apart, 413 for too many. */
export function judgeBody(bytes: Uint8Array, { lines }: { lines: boolean }): JudgedBody {
  const { form, slices } = eventSlices(bytes, { lines });
  if (slices.length > maxEvents) {
    throw new AppError(`The body holds more than ${maxEvents} events`, {
      status: 413,
      code: "USR001",
      resolvable: true,
    });
  }
  return { form, judged: slices.map(({ from, to }) => judgeEvent(bytes.subarray(from, to))) };
}
