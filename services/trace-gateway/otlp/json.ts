import { inspectJson } from "#contract/ingestion/inspect.ts";
import { AppError, messageOf } from "#kit/errors.ts";
import {
  type AnyValue,
  attributeOf,
  type Attributes,
  badSpanId,
  badTraceId,
  type DecodedRequest,
  DecodingState,
  deepestValue,
  idOfText,
  jsonLimits,
  type KeyMatcher,
  MalformedRequest,
  maxLinks,
  type ResourceSpans,
  type SpanKind,
  spanKinds,
  type SpanLink,
  type SpanModel,
} from "./decoding.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Decodes the JSON form of the same request: ids in hex, enums as numbers or names, 64-bit integers as
 * texts or numbers, unknown fields ignored. Throws `MalformedRequest` that names the field, or the bound
 * that is passed.
 */
export function decodeJson(body: Uint8Array, wanted: KeyMatcher): DecodedRequest {
  const walk = new DecodingState(wanted);
  const root = object(parse(body), "the body") ?? {};
  const resourceSpans = list(root.resourceSpans, "resourceSpans")
    .map((entry, index) => resourceSpansOf(entry, `resourceSpans[${index}]`, walk))
    .filter(({ spans }) => spans.length > 0);
  const { received, refusals } = walk;
  return { resourceSpans, received, refused: refusals.count, reason: refusals.reason };
}

function parse(body: Uint8Array): unknown {
  try {
    // What it would cost is known before it is paid.
    inspectJson(body, jsonLimits);
    return JSON.parse(decoder.decode(body));
  } catch (cause) {
    if (cause instanceof AppError) throw new MalformedRequest(cause.message, { cause });
    throw new MalformedRequest(`not JSON: ${messageOf(cause)}`, { cause });
  }
}

function resourceSpansOf(entry: unknown, at: string, walk: DecodingState): ResourceSpans {
  const { resource, scopeSpans } = object(entry, at) ?? {};
  const of = object(resource, `${at}.resource`) ?? {};
  const spans: SpanModel[] = [];
  list(scopeSpans, `${at}.scopeSpans`).forEach((scope, index) => {
    const place = `${at}.scopeSpans[${index}]`;
    list(object(scope, place)?.spans, `${place}.spans`).forEach((given, number) => {
      walk.span();
      const span = spanOf(
        object(given, `${place}.spans[${number}]`) ?? {},
        walk,
        () => `${place}.spans[${number}]`,
      );
      if (span) spans.push(span);
    });
  });
  const resourceAt = () => `${at}.resource`;
  return { resource: attributesOf(of.attributes, walk.wanted, resourceAt), spans };
}

/** The path of a span is only built when it is needed. */
function spanOf(
  span: Json,
  { wanted, refusals }: DecodingState,
  at: () => string,
): SpanModel | null {
  const traceId = idOfText(text(span.traceId, at, "traceId"), 16);
  const spanId = idOfText(text(span.spanId, at, "spanId"), 8);
  const kind = kindOf(span.kind, at);
  const status = span.status === undefined ? undefined : object(span.status, `${at()}.status`);
  const model = {
    traceId: traceId ?? "",
    spanId: spanId ?? "",
    parentSpanId: idOfText(text(span.parentSpanId, at, "parentSpanId"), 8),
    name: text(span.name, at, "name"),
    kind,
    startMicros: micros(span.startTimeUnixNano, at, "startTimeUnixNano"),
    endMicros: micros(span.endTimeUnixNano, at, "endTimeUnixNano"),
    error: isError(status?.code),
    attributes: attributesOf(span.attributes, wanted, at),
    links: linksOf(span.links, at),
  };
  if (traceId !== null && spanId !== null) return model;
  refusals.add(traceId === null ? badTraceId : badSpanId);
  return null;
}

const kindNames = new Map(spanKinds.map((kind) => [`SPAN_KIND_${kind.toUpperCase()}`, kind]));

function kindOf(value: unknown, at: () => string): SpanKind {
  if (value === undefined || value === null) return "unspecified";
  if (typeof value === "number") return spanKinds[value] ?? "unspecified";
  if (typeof value === "string") return kindNames.get(value) ?? "unspecified";
  throw new MalformedRequest(`${at()}.kind must be a number or a name such as SPAN_KIND_SERVER`);
}

function isError(code: unknown): boolean {
  return code === 2 || code === "STATUS_CODE_ERROR";
}

function micros(value: unknown, at: () => string, field: string): number {
  return Math.round(wholeNumber(value, at, field) / 1_000);
}

const noLinks: SpanLink[] = [];

function linksOf(value: unknown, at: () => string): SpanLink[] {
  if (value === undefined) return noLinks;
  return list(value, `${at()}.links`).slice(0, maxLinks).flatMap((entry, index) => {
    const place = () => `${at()}.links[${index}]`;
    const link = object(entry, place()) ?? {};
    const traceId = idOfText(text(link.traceId, place, "traceId"), 16);
    const spanId = idOfText(text(link.spanId, place, "spanId"), 8);
    return traceId !== null && spanId !== null ? [{ traceId, spanId }] : [];
  });
}

/** The needed attributes in JSON; `at` returns the path of their owner. */
function attributesOf(given: unknown, wanted: KeyMatcher, at: () => string): Attributes {
  const attributes: Attributes = {};
  if (given === undefined) return attributes;
  const place = (index: number) => `${at()}.attributes[${index}]`;
  list(given, `${at()}.attributes`).forEach((entry, index) => {
    if (typeof entry !== "object" || entry === null) {
      throw new MalformedRequest(`${place(index)} must be an object`);
    }
    const { key, value } = entry as { key?: unknown; value?: unknown };
    if (typeof key !== "string" || !wanted.all.has(key)) return;
    const known = attributeOf(valueOf(value, () => place(index), 0));
    // lookup-ok -- only wanted keys come here
    if (known !== undefined) attributes[key] = known;
  });
  return attributes;
}

function valueOf(given: unknown, at: () => string, depth: number): AnyValue {
  if (depth > deepestValue) throw new MalformedRequest(`${at()} is nested too deep`);
  const value = object(given, `${at()}.value`);
  if (value === undefined) return undefined;
  if (typeof value.stringValue === "string") return value.stringValue;
  if (typeof value.boolValue === "boolean") return value.boolValue;
  if (value.intValue !== undefined) return integer(value.intValue, at);
  if (value.doubleValue !== undefined) return double(value.doubleValue, at);
  const below = (entry: unknown) => valueOf(entry, at, depth + 1);
  if (value.arrayValue !== undefined) {
    return list(object(value.arrayValue, at())?.values, at()).map(below);
  }
  if (value.kvlistValue === undefined) return undefined;
  return new Map(
    list(object(value.kvlistValue, at())?.values, at()).map((entry) => {
      const { key, value } = object(entry, at()) ?? {};
      return [typeof key === "string" ? key : "", below(value)];
    }),
  );
}

/** A number while it is exact, else its digits. */
function integer(given: unknown, at: () => string): number | string {
  if (typeof given === "string" && /^-?\d{1,20}$/.test(given)) {
    const number = Number(given);
    return Number.isSafeInteger(number) ? number : given;
  }
  if (typeof given === "number") return given;
  throw new MalformedRequest(`${at()}.value.intValue must be a whole number`);
}

/** JSON knows the odd ones (`NaN`, `Infinity`) as texts only. */
function double(given: unknown, at: () => string): number {
  const number = typeof given === "string" && given !== "" ? Number(given) : given;
  if (typeof number === "number") return number;
  throw new MalformedRequest(`${at()}.value.doubleValue must be a number`);
}

type Json = Record<string, unknown>;

/** An object; undefined for null and absent. Throws `MalformedRequest` that names `at`. */
function object(value: unknown, at: string): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object" && !Array.isArray(value)) return value as Json;
  throw new MalformedRequest(`${at} must be an object`);
}

/** A list; empty for null and absent. Throws `MalformedRequest` that names `at`. */
function list(value: unknown, at: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new MalformedRequest(`${at} must be a list`);
}

/** A text; empty for null and absent. Throws `MalformedRequest` that names the field. */
function text(value: unknown, at: () => string, field: string): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  throw new MalformedRequest(`${at()}.${field} must be a text`);
}

/** A whole number from 0, as a number or its digits; 0 for null and absent. */
function wholeNumber(value: unknown, at: () => string, field: string): number {
  if (value === undefined || value === null) return 0;
  const number = typeof value === "string" && /^\d{1,20}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && number >= 0 && number < 2 ** 64) return number;
  throw new MalformedRequest(`${at()}.${field} must be a whole number of nanoseconds`);
}
