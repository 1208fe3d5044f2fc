import type { JsonLimits } from "#contract/ingestion/json.ts";
import { MalformedRequest } from "./decoded.ts";

/** Spans of one request; exporters send a few thousand at most. */
export const maxSpans = 50_000;

/** Fields of one request in protobuf that are looked at, however small: of 16 MB an honest one has a third. */
export const maxFields = 3_000_000;

/** What a request in JSON may hold in all; an attribute has two objects and three members. */
export const jsonLimits: JsonLimits = {
  containers: 400_000,
  members: 800_000,
  elements: 500_000,
};

/** Links of one span that are kept, which is what SDKs send at most. */
export const maxLinks = 128;

/** Values of attributes within values, as deep as they may be. */
export const deepestValue = 32;

/** A request of more spans than are taken at once. */
export function tooManySpans(): MalformedRequest {
  return new MalformedRequest(`a request may hold ${maxSpans} spans: send smaller batches`);
}
