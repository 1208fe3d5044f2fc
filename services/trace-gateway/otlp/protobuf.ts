import { Buffer } from "node:buffer";
import protobuf from "protobufjs/minimal.js";
import { messageOf } from "#kit/errors.ts";
import type { ResourceSpans, SpanModel } from "../model.ts";
import { takeAttribute } from "./attributes.ts";
import { type DecodedRequest, MalformedRequest } from "./decoded.ts";
import { takeSpan } from "./protobuf-span.ts";
import { DecodingState } from "./decoding.ts";
import { eachField, field, fieldsOf, message, skip } from "./wire.ts";
import type { KeyMatcher } from "./key-matcher.ts";

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
      eachField(reader, walk, (inner) => {
        if (inner !== resource.attributes) return false;
        takeAttribute(reader, walk, taken.resource);
        return true;
      }, reader.uint32());
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
