import { maxFields, maxSpans, tooManySpans } from "./bounds.ts";
import { MalformedRequest, Refusals } from "./decoded.ts";
import type { WantedKeys } from "./wanted.ts";

/** What goes along while a request is decoded, and ends it when there is too much of anything. */
export class Walk {
  readonly refusals = new Refusals();
  received = 0;
  #kept = 0;
  #fields = 0;

  constructor(readonly wanted: WantedKeys) {}

  /** Counts a field of protobuf; throws `MalformedRequest` when there are too many. */
  field(): void {
    if (++this.#fields <= maxFields) return;
    throw new MalformedRequest(`a request may hold ${maxFields} fields: send smaller batches`);
  }

  /** Counts a span that is kept; throws `MalformedRequest` when there are too many. */
  keep(): void {
    if (++this.#kept > maxSpans) throw tooManySpans();
  }
}
