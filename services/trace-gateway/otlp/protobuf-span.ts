import type protobuf from "protobufjs/minimal.js";
import type { SpanLink, SpanModel } from "../model.ts";
import { takeAttribute } from "./attributes.ts";
import { maxLinks } from "./bounds.ts";
import { otlp } from "./generated/otlp.js";
import { badSpanId, badTraceId, type DecodingState, idOfBytes, kinds } from "./decoding.ts";
import { eachField, endOf, field, fixed64, message, micros, varint } from "./wire.ts";

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
export function takeSpan(reader: protobuf.Reader, walk: DecodingState): SpanModel | null {
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
      model.kind = kinds[reader.uint32()] ?? "unspecified";
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
  eachField(reader, walk, (tag) => {
    if (tag !== status.code) return false;
    model.error = reader.uint32() === otlp.StatusCode.STATUS_CODE_ERROR;
    return true;
  }, reader.uint32());
}

/** Empty for an invalid id. */
function id(reader: protobuf.Reader, length: 8 | 16): string {
  const given = reader.uint32();
  const start = reader.pos;
  reader.pos = endOf(reader, given);
  return given === length ? idOfBytes(reader.buf, start, length) ?? "" : "";
}
