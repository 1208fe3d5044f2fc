import type { JsonLimits } from "#contract/ingestion/inspect.ts";
import { MalformedRequest } from "./decoded.ts";

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
export function tooMany(max: number, what: string): MalformedRequest {
  return new MalformedRequest(`a request may hold ${max} ${what}: send smaller batches`);
}
