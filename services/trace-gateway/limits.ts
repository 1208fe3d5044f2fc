import {
  maxFactsPerRecord,
  maxFactText,
  maxServiceText,
  maxTargetsPerSpan,
} from "#contract/traces.ts";
import type { Limit } from "#kit/limits.ts";
import { maxList, maxRaw, maxText } from "./facts/attributes.ts";
import { maxPath } from "./facts/calls.ts";
import { minOfCall } from "./grpc/server.ts";
import { clientShare, maxWaitMs } from "./intake/budget.ts";
import { decodeWaitMs, maxConcurrentLarge } from "./intake/intake.ts";
import {
  deepestValue,
  jsonLimits,
  maxFields,
  maxFieldsTogether,
  maxGroups,
  maxLinks,
  maxSpans,
} from "./otlp/decoding.ts";
import { maxEdges } from "./publisher/facts.ts";
import { maxQuarantined } from "./publisher/quarantine.ts";
import { sendWithinMs, stallWithinMs } from "./receivers/exports.ts";

const spans = "spans from any entrance";
const records = "records of traces.spans";
const publisher = "services in the catalogue";
const cut = "cut";
const deadLetter = "a dead letter, invalid_record";

const http = "OTLP over HTTP and gRPC";
const every = "OTLP over HTTP, gRPC and Kafka";

const pressure = "429 or RESOURCE_EXHAUSTED, with Retry-After";
const late = "408 or DEADLINE_EXCEEDED";

const final = "400 or INVALID_ARGUMENT, not to be sent again";

/** What a request of spans may cost on its way to the event log. */
const receiverLimits: Limit[] = [
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

/** What spans may cost before they are refused or cut. */
export const traceLimits: Limit[] = [
  ...receiverLimits,
  {
    entrance: spans,
    bounds: "stored text of an attribute, UTF-16 units",
    limit: maxText,
    beyond: cut,
  },
  {
    entrance: spans,
    bounds: "URL or statement parsed, UTF-16 units",
    limit: maxRaw,
    beyond: cut,
  },
  { entrance: spans, bounds: "path parsed, UTF-16 units", limit: maxPath, beyond: cut },
  { entrance: spans, bounds: "entries of a list that are read", limit: maxList, beyond: cut },
  {
    entrance: spans,
    bounds: "tables and topics of a span",
    limit: maxTargetsPerSpan,
    beyond: "further ones are left out",
  },
  { entrance: records, bounds: "facts", limit: maxFactsPerRecord, beyond: deadLetter },
  { entrance: records, bounds: "text, UTF-16 units", limit: maxFactText, beyond: deadLetter },
  {
    entrance: records,
    bounds: "name of a service, UTF-16 units",
    limit: maxServiceText,
    beyond: deadLetter,
  },
  {
    entrance: records,
    bounds: "spans of a partition that wait",
    limit: { key: "traces.max-waiting" },
    beyond: "the oldest expire",
  },
  {
    entrance: publisher,
    bounds: "edges, and operations, of a service",
    limit: maxEdges,
    beyond: "the oldest count",
  },
  {
    entrance: publisher,
    bounds: "services and hosts waiting to be resolved",
    limit: maxQuarantined,
    beyond: "the one tried longest ago is removed",
  },
];
