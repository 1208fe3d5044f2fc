import { type AcceptedEvent, acceptEvent, isRefused, refusalText } from "../accept.ts";
import { smallRunEvent } from "./samples.ts";

/** What an accepted event is; fails for a refused one. */
export function accepted(value: unknown): AcceptedEvent {
  const result = acceptEvent(value);
  if (isRefused(result)) throw new Error(`refused: ${refusalText(result.refused)}`);
  return result;
}

/** The accepted event. */
// deno-lint-ignore no-explicit-any -- tests look into events of every kind
export const eventOf = (value: unknown): any => accepted(value).event;

/** Why an event is refused; "accepted" when it is not. */
export function refusalOf(value: unknown): string {
  const result = acceptEvent(value);
  return isRefused(result) ? refusalText(result.refused) : "accepted";
}

/** `path: reason` of each warning of an accepted event. */
export const warningsOf = (value: unknown): string[] =>
  accepted(value).warnings.map(({ path, reason }) => `${path}: ${reason}`);

/** A run event with these members instead of its own. */
export const runWith = (members: object): object => ({ ...smallRunEvent(), ...members });

/** A run event with one output, which has these members. */
export const outputWith = (members: object): object =>
  runWith({ outputs: [{ namespace: "n", name: "t", ...members }] });
