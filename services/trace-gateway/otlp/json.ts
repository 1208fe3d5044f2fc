import { inspectJson } from "#contract/ingestion/inspect.ts";
import { AppError, messageOf } from "#kit/errors.ts";
import type { ResourceSpans, SpanKind, SpanLink, SpanModel } from "../model.ts";
import { jsonLimits, maxLinks } from "./bounds.ts";
import { type DecodedRequest, MalformedRequest } from "./decoded.ts";
import { badSpanId, badTraceId, idOfText } from "./ids.ts";
import { attributesOf } from "./json-attributes.ts";
import { type Json, list, object, text, wholeNumber } from "./json-values.ts";
import { kinds } from "./kinds.ts";
import { DecodingState } from "./decoding.ts";
import type { KeyMatcher } from "./key-matcher.ts";

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

const kindNames = new Map(kinds.map((kind) => [`SPAN_KIND_${kind.toUpperCase()}`, kind]));

function kindOf(value: unknown, at: () => string): SpanKind {
  if (value === undefined || value === null) return "unspecified";
  if (typeof value === "number") return kinds[value] ?? "unspecified";
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
