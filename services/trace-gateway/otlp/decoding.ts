import { maxFields, maxFieldsTogether, maxGroups, maxSpans, tooMany } from "./bounds.ts";
import { MalformedRequest, Refusals } from "./decoded.ts";
import type { KeyMatcher } from "./key-matcher.ts";

/** Spans, resources and scopes that are decoded before the event loop should be yielded. */
const yieldEvery = 500;

/** The state of decoding one request: counts what was decoded, and ends it when a bound is passed. */
export class DecodingState {
  readonly refusals = new Refusals();
  received = 0;
  #groups = 0;
  #fields = 0;
  #fieldsBefore = 0;

  constructor(readonly wanted: KeyMatcher) {}

  /** Counts a field of protobuf; throws `MalformedRequest` when there are too many. */
  field(): void {
    this.#fields++;
    if (this.#fields > maxFields) throw tooMany(maxFields, "fields");
    if (this.#fields - this.#fieldsBefore > maxFieldsTogether) {
      throw new MalformedRequest(`a span or resource may hold ${maxFieldsTogether} fields`);
    }
  }

  /** Counts a resource or scope; throws `MalformedRequest` when there are too many. */
  group(): void {
    if (++this.#groups > maxGroups) throw tooMany(maxGroups, "resources and scopes");
    this.#fieldsBefore = this.#fields;
  }

  /** Whether the event loop should be yielded now. */
  get yieldIsDue(): boolean {
    return (this.received + this.#groups) % yieldEvery === 0;
  }

  /** Counts a span, kept or not; throws `MalformedRequest` when there are too many. */
  span(): void {
    if (++this.received > maxSpans) throw tooMany(maxSpans, "spans");
    this.#fieldsBefore = this.#fields;
  }
}
