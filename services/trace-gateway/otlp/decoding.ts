import { maxFields, maxFieldsTogether, maxGroups, maxSpans, tooMany } from "./bounds.ts";
import { MalformedRequest, Refusals } from "./decoded.ts";
import type { KeyMatcher } from "./key-matcher.ts";
import type { AttributeValue, SpanKind } from "../model.ts";

/** Kinds by their number on the wire. */
export const kinds: SpanKind[] = [
  "unspecified",
  "internal",
  "server",
  "client",
  "producer",
  "consumer",
];

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

/** A value of an attribute as either encoding gives it: maps have their entries in order. */
export type AnyValue = Exclude<AttributeValue, string[]> | undefined | AnyValue[] | AnyMap;
export type AnyMap = Map<string, AnyValue>;

/** What an attribute holds; undefined for an empty value. */
export function attributeOf(value: AnyValue): AttributeValue | undefined {
  return Array.isArray(value) ? value.map(textOf) : value instanceof Map ? jsonOf(value) : value;
}

/** A value as an entry of a list of texts. */
function textOf(value: AnyValue): string {
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return value instanceof Map ? jsonOf(value) : String(value ?? "");
}

/** Written once, whole: texts of texts would double with each level. */
function jsonOf(map: AnyMap): string {
  return JSON.stringify(plain(map));
}

function plain(value: AnyValue): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => entry instanceof Map ? plain(entry) : textOf(entry));
  }
  if (!(value instanceof Map)) return value ?? null;
  return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Reasons of refusal, as the exporter's log will show them. */
export const badTraceId = "a trace id must be 16 bytes, not all zero";
export const badSpanId = "a span id must be 8 bytes, not all zero";

/** Lower-case hex of an id of `length` bytes from `start`; null when it is all zero. */
export function idOfBytes(bytes: Uint8Array, start: number, length: number): string | null {
  let hex = "";
  let any = 0;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at]!;
    any |= byte;
    hex += pairs[byte]!;
  }
  return any === 0 ? null : hex;
}

const hexOf = { 8: /^[0-9a-f]{16}$/, 16: /^[0-9a-f]{32}$/ };

/** An id written in hex, in lower case; null when it has another length or is all zero. */
export function idOfText(text: string, length: 8 | 16): string | null {
  const id = text.toLowerCase();
  return hexOf[length].test(id) && /[^0]/.test(id) ? id : null;
}
