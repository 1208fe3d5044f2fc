import type { Limit } from "#kit/limits.ts";
import { minOfCall } from "../grpc/server.ts";
import { clientShare, maxWaitMs } from "../intake/budget.ts";
import { decodeWaitMs, maxConcurrentLarge } from "../intake/intake.ts";
import {
  deepestValue,
  jsonLimits,
  maxFields,
  maxFieldsTogether,
  maxGroups,
  maxLinks,
  maxSpans,
} from "../otlp/bounds.ts";
import { sendWithinMs, stallWithinMs } from "./read.ts";

const final = "400 or INVALID_ARGUMENT, not to be sent again";
const pressure = "429 or RESOURCE_EXHAUSTED, with Retry-After";
const late = "408 or DEADLINE_EXCEEDED";
const http = "OTLP over HTTP and gRPC";
const every = "OTLP over HTTP, gRPC and Kafka";

/** What a request of spans may cost on its way to the event log. */
export const receiverLimits: Limit[] = [
  {
    entrance: http,
    bounds: "request as sent and after decompression, bytes",
    limit: { key: "traces.max-request-size" },
    beyond: "413 or RESOURCE_EXHAUSTED, not to be sent again",
  },
  {
    entrance: every,
    bounds: "requests in flight, bytes received so far",
    limit: { key: "traces.max-in-flight" },
    beyond: pressure,
  },
  {
    entrance: http,
    bounds:
      "share of these bytes beyond which unfinished bodies of one client make room for others",
    limit: clientShare,
    beyond: pressure,
  },
  {
    entrance: http,
    bounds: "age from which an unfinished body makes room for others, milliseconds",
    limit: maxWaitMs,
    beyond: pressure,
  },
  {
    entrance: http,
    bounds: "time to send a request, milliseconds",
    limit: sendWithinMs,
    beyond: late,
  },
  {
    entrance: http,
    bounds: "time between two pieces of a request, milliseconds",
    limit: stallWithinMs,
    beyond: late,
  },
  {
    entrance: "OTLP over gRPC",
    bounds: "minimum size counted for a call, bytes",
    limit: minOfCall,
    beyond: "part of the bytes in flight",
  },
  {
    entrance: every,
    bounds: "bodies beyond 256 kB that are decoded at once",
    limit: maxConcurrentLarge,
    beyond: "the next ones wait",
  },
  {
    entrance: every,
    bounds: "time that such a body may wait, milliseconds",
    limit: decodeWaitMs,
    beyond: "503 or UNAVAILABLE, with Retry-After",
  },
  { entrance: every, bounds: "spans of a request", limit: maxSpans, beyond: final },
  {
    entrance: `${every}, protobuf`,
    bounds: "fields of a request",
    limit: maxFields,
    beyond: final,
  },
  {
    entrance: `${every}, protobuf`,
    bounds: "fields of a span or resource",
    limit: maxFieldsTogether,
    beyond: final,
  },
  {
    entrance: `${every}, protobuf`,
    bounds: "resources and scopes of a request",
    limit: maxGroups,
    beyond: final,
  },
  ...Object.entries(jsonLimits).map(([kind, limit]) => ({
    entrance: `${every}, JSON`,
    bounds: `${kind} of a request`,
    limit,
    beyond: final,
  })),
  {
    entrance: every,
    bounds: "nesting of an attribute's value",
    limit: deepestValue,
    beyond: final,
  },
  {
    entrance: every,
    bounds: "links of a span",
    limit: maxLinks,
    beyond: "further ones are left out",
  },
];
