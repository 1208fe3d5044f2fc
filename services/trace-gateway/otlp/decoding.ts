import type { JsonLimits } from "#contract/ingestion/inspect.ts";

/** What an attribute may hold once decoded; integers beyond 2^53 and maps become text. */
type AttributeValue = string | number | boolean | string[];

/** Attributes that the gateway needs (see `facts/attributes.ts`); all others are left undecoded. */
export type Attributes = Record<string, AttributeValue>;

export type SpanKind = "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";

export interface SpanLink {
  traceId: string;
  spanId: string;
}

/** A span as any of the receivers decodes it: protobuf or JSON, over HTTP, gRPC or Kafka. */
export interface SpanModel {
  /** 32 lower-case hex digits. */
  traceId: string;
  /** 16 lower-case hex digits. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: SpanKind;
  /** Microseconds since the epoch. */
  startMicros: number;
  endMicros: number;
  /** The status code is ERROR. */
  error: boolean;
  attributes: Attributes;
  links: SpanLink[];
}

/** Spans of one emitter. */
export interface ResourceSpans {
  resource: Attributes;
  spans: SpanModel[];
}

/** What a request held, whatever its encoding. */
export interface DecodedRequest {
  resourceSpans: ResourceSpans[];
  /** Spans in all, the refused ones included. */
  received: number;
  /** Spans that cannot be taken, though the request as a whole is sound. */
  refused: number;
  /** Why the first of them was refused. */
  reason: string | null;
}

/** A request that is not OTLP: 400, and the exporter must not send it again. */
export class MalformedRequest extends Error {
  override readonly name = "MalformedRequest";
}

/** Counts what a decoder refuses, and remembers the first reason. */
class Refusals {
  count = 0;
  reason: string | null = null;

  add(reason: string): void {
    this.count++;
    this.reason ??= reason;
  }
}

/** Spans of one request; exporters send a few thousand at most. */
export const maxSpans = 50_000;

/** Resources and scopes of one request in protobuf: as many as spans of a resource each need. */
export const maxGroups = 2 * maxSpans;

/** Fields of one span or resource in protobuf; SDKs send 128 attributes at most. */
export const maxFieldsTogether = 100_000;

/** Fields of one request in protobuf that are looked at, however small: of 16 MB an honest one has a third. */
export const maxFields = 3_000_000;

/** What a request in JSON may hold in all; an attribute has two objects and three members. */
export const jsonLimits: JsonLimits = {
  containers: 400_000,
  members: 800_000,
  elements: 500_000,
};

/** Links of one span that are stored, which is what SDKs send at most. */
export const maxLinks = 128;

/** Values of attributes within values, as deep as they may be. */
export const deepestValue = 32;

/** A request of more of anything than is taken at once. */
function tooMany(max: number, what: string): MalformedRequest {
  return new MalformedRequest(`a request may hold ${max} ${what}: send smaller batches`);
}

interface WantedKey {
  text: string;
  bytes: Uint8Array;
}

/** Recognises wanted attribute keys in undecoded bytes. Keys are ASCII, at most 127 bytes long. */
export class KeyMatcher {
  /** By length and last byte, which distinguishes nearly all keys. */
  readonly #buckets: (WantedKey[] | undefined)[] = new Array(128 * 128);

  constructor(readonly all: ReadonlySet<string>) {
    for (const text of all) {
      const bytes = new TextEncoder().encode(text);
      if (bytes.length !== text.length || bytes.length === 0 || bytes.length > 127) {
        throw new RangeError(`not a key of an attribute: ${text}`);
      }
      const bucket = bytes.length * 128 + bytes.at(-1)!;
      (this.#buckets[bucket] ??= []).push({ text, bytes });
    }
  }

  /** The key that stands at `start`, if it is wanted. */
  match(buffer: Uint8Array, start: number, length: number): string | null {
    const last = buffer[start + length - 1];
    if (length > 127 || last === undefined || last > 127) return null;
    const bucket = this.#buckets[length * 128 + last];
    if (bucket === undefined) return null;
    for (const key of bucket) {
      let at = 0;
      while (at < length && key.bytes[at] === buffer[start + at]) at++;
      if (at === length) return key.text;
    }
    return null;
  }
}

/** Kinds by their number on the wire. */
export const spanKinds: SpanKind[] = [
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
  return Array.isArray(value) ? value.map(entryText) : value instanceof Map ? jsonOf(value) : value;
}

/** A value as an entry of a list of texts. */
function entryText(value: AnyValue): string {
  if (Array.isArray(value)) return value.map(entryText).join(",");
  return value instanceof Map ? jsonOf(value) : String(value ?? "");
}

/** Written once, whole: texts of texts would double with each level. */
function jsonOf(map: AnyMap): string {
  return JSON.stringify(plain(map));
}

function plain(value: AnyValue): unknown {
  if (Array.isArray(value)) {
    return value.map((entry) => entry instanceof Map ? plain(entry) : entryText(entry));
  }
  if (!(value instanceof Map)) return value ?? null;
  return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
}

/** Reasons of refusal, as the exporter's log will show them. */
export const badTraceId = "a trace id must be 16 bytes, not all zero";
export const badSpanId = "a span id must be 8 bytes, not all zero";

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hex of an id of `length` bytes from `start`; null when it is all zero. */
export function idOfBytes(bytes: Uint8Array, start: number, length: number): string | null {
  let hex = "";
  let any = 0;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at]!;
    any |= byte;
    hex += hexPairs[byte]!;
  }
  return any === 0 ? null : hex;
}

const hexIds = { 8: /^[0-9a-f]{16}$/, 16: /^[0-9a-f]{32}$/ };

/** An id written in hex, in lower case; null when it has another length or is all zero. */
export function idOfText(text: string, length: 8 | 16): string | null {
  const id = text.toLowerCase();
  return hexIds[length].test(id) && /[^0]/.test(id) ? id : null;
}
