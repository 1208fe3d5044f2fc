import { Buffer } from "node:buffer";
import protobuf from "protobufjs/minimal.js";
import { messageOf } from "#kit/errors.ts";
import {
  badSpanId,
  badTraceId,
  type DecodedRequest,
  DecodingState,
  idOfBytes,
  type KeyMatcher,
  MalformedRequest,
  maxLinks,
  type ResourceSpans,
  spanKinds,
  type SpanLink,
  type SpanModel,
} from "./decoding.ts";
import { takeAttribute } from "./attributes.ts";
import {
  eachField,
  eachOf,
  endOf,
  field,
  fieldsOf,
  fixed64,
  message,
  micros,
  skip,
  varint,
} from "./wire.ts";
import { otlp } from "./generated/otlp.js";

const tracesData = { resourceSpans: field(1, message) };
const resourceSpans = { resource: field(1, message), scopeSpans: field(2, message) };
const resource = { attributes: field(1, message) };
const scopeSpans = { spans: field(2, message) };

/** Decodes an ExportTraceServiceRequest or TracesData at once. Throws `MalformedRequest`. */
export function decodeProtobuf(body: Uint8Array, wanted: KeyMatcher): DecodedRequest {
  const steps = protobufSteps(body, wanted);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Decodes an ExportTraceServiceRequest or TracesData in steps of some milliseconds. Throws
 * `MalformedRequest`.
 *
 * It walks the fields by hand, with the library's reader: what is not needed is skipped, and
 * of a span that is refused nothing is stored. So a crafted request of a great many empty messages takes
 * no more memory than an honest one, and its time ends with the number of fields. The tests compare it
 * with the generated decoder.
 */
export function* protobufSteps(
  body: Uint8Array,
  wanted: KeyMatcher,
): Generator<undefined, DecodedRequest> {
  const walk = new DecodingState(wanted);
  const all: ResourceSpans[] = [];
  try {
    // Texts are read faster from a Buffer.
    const { buffer, byteOffset, byteLength } = body;
    const reader = protobuf.Reader.create(Buffer.from(buffer, byteOffset, byteLength));
    for (const tag of fieldsOf(reader, walk)) {
      if (tag !== tracesData.resourceSpans) {
        skip(reader, tag);
        continue;
      }
      walk.group();
      const one: ResourceSpans = { resource: {}, spans: [] };
      yield* takeResourceSpans(reader, walk, one);
      if (one.spans.length > 0) all.push(one);
      if (walk.yieldIsDue) yield;
    }
  } catch (cause) {
    if (cause instanceof MalformedRequest) throw cause;
    throw new MalformedRequest(`not a protobuf ExportTraceServiceRequest: ${messageOf(cause)}`, {
      cause,
    });
  }
  const { received, refusals } = walk;
  return { resourceSpans: all, received, refused: refusals.count, reason: refusals.reason };
}

function* takeResourceSpans(reader: protobuf.Reader, walk: DecodingState, taken: ResourceSpans) {
  for (const tag of fieldsOf(reader, walk, reader.uint32())) {
    if (tag === resourceSpans.resource) {
      eachOf(reader, walk, resource.attributes, () => takeAttribute(reader, walk, taken.resource));
    } else if (tag === resourceSpans.scopeSpans) {
      walk.group();
      yield* takeSpans(reader, walk, taken.spans);
      if (walk.yieldIsDue) yield;
    } else skip(reader, tag);
  }
}

function* takeSpans(reader: protobuf.Reader, walk: DecodingState, taken: SpanModel[]) {
  for (const tag of fieldsOf(reader, walk, reader.uint32())) {
    if (tag !== scopeSpans.spans) {
      skip(reader, tag);
      continue;
    }
    walk.span();
    const span = takeSpan(reader, walk);
    if (span) taken.push(span);
    if (walk.yieldIsDue) yield;
  }
}

const span = {
  traceId: field(1, message),
  spanId: field(2, message),
  parentSpanId: field(4, message),
  name: field(5, message),
  kind: field(6, varint),
  start: field(7, fixed64),
  end: field(8, fixed64),
  attributes: field(9, message),
  links: field(13, message),
  status: field(15, message),
};
const link = { traceId: field(1, message), spanId: field(2, message) };
const status = { code: field(3, varint) };

const noLinks: SpanLink[] = [];

/** The span that stands here, or null when it is refused. */
function takeSpan(reader: protobuf.Reader, walk: DecodingState): SpanModel | null {
  const model: SpanModel = {
    traceId: "",
    spanId: "",
    parentSpanId: null,
    name: "",
    kind: "unspecified",
    startMicros: 0,
    endMicros: 0,
    error: false,
    attributes: {},
    links: noLinks,
  };
  eachField(reader, walk, (tag) => takeField(reader, tag, model, walk), reader.uint32());
  if (model.traceId !== "" && model.spanId !== "") return model;
  walk.refusals.add(model.traceId === "" ? badTraceId : badSpanId);
  return null;
}

function takeField(
  reader: protobuf.Reader,
  tag: number,
  model: SpanModel,
  walk: DecodingState,
): boolean {
  switch (tag) {
    case span.attributes:
      takeAttribute(reader, walk, model.attributes);
      return true;
    case span.traceId:
      model.traceId = id(reader, 16);
      return true;
    case span.spanId:
      model.spanId = id(reader, 8);
      return true;
    case span.parentSpanId:
      model.parentSpanId = id(reader, 8) || null;
      return true;
    case span.name:
      model.name = reader.string();
      return true;
    case span.kind:
      model.kind = spanKinds[reader.uint32()] ?? "unspecified";
      return true;
    case span.start:
      model.startMicros = micros(reader);
      return true;
    case span.end:
      model.endMicros = micros(reader);
      return true;
    case span.links:
      takeLink(reader, model, walk);
      return true;
    case span.status:
      takeStatus(reader, model, walk);
      return true;
    default:
      return false;
  }
}

function takeLink(reader: protobuf.Reader, model: SpanModel, walk: DecodingState): void {
  if (model.links.length >= maxLinks) {
    reader.pos = endOf(reader, reader.uint32());
    return;
  }
  const taken: SpanLink = { traceId: "", spanId: "" };
  eachField(reader, walk, (tag) => {
    if (tag === link.traceId) taken.traceId = id(reader, 16);
    else if (tag === link.spanId) taken.spanId = id(reader, 8);
    else return false;
    return true;
  }, reader.uint32());
  if (taken.traceId === "" || taken.spanId === "") return;
  if (model.links === noLinks) model.links = [];
  model.links.push(taken);
}

function takeStatus(reader: protobuf.Reader, model: SpanModel, walk: DecodingState): void {
  eachOf(reader, walk, status.code, () => {
    model.error = reader.uint32() === otlp.StatusCode.STATUS_CODE_ERROR;
  });
}

/** Empty for an invalid id. */
function id(reader: protobuf.Reader, length: 8 | 16): string {
  const given = reader.uint32();
  const start = reader.pos;
  reader.pos = endOf(reader, given);
  return given === length ? idOfBytes(reader.buf, start, length) ?? "" : "";
}
