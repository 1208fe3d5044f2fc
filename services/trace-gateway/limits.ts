import {
  maxFactsPerRecord,
  maxFactText,
  maxServiceText,
  maxTargetsPerSpan,
} from "#contract/traces.ts";
import { type Limit, limit } from "#kit/limits.ts";
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

const http = "OTLP over HTTP and gRPC";
const every = "OTLP over HTTP, gRPC and Kafka";

const pressure = "429 or RESOURCE_EXHAUSTED, with Retry-After";
const late = "408 or DEADLINE_EXCEEDED";

const final = "400 or INVALID_ARGUMENT, not to be sent again";

const spans = "spans from any entrance";
const records = "records of traces.spans";
const publisher = "services in the catalogue";
const deadLetter = "a dead letter, invalid_record";

/** What spans may cost before they are refused or cut: a request on its way to the event log, then what it holds. */
export const traceLimits: Limit[] = [
  limit(
    http,
    "request as sent and after decompression, bytes",
    { key: "traces.max-request-size" },
    "413 or RESOURCE_EXHAUSTED, not to be sent again",
  ),
  limit(
    every,
    "requests in flight, bytes received so far",
    { key: "traces.max-in-flight" },
    pressure,
  ),
  limit(
    http,
    "share of these bytes beyond which unfinished bodies of one client make room for others",
    clientShare,
    pressure,
  ),
  limit(
    http,
    "age from which an unfinished body makes room for others, milliseconds",
    maxWaitMs,
    pressure,
  ),
  limit(http, "time to send a request, milliseconds", sendWithinMs, late),
  limit(http, "time between two pieces of a request, milliseconds", stallWithinMs, late),
  limit(
    "OTLP over gRPC",
    "minimum size counted for a call, bytes",
    minOfCall,
    "part of the bytes in flight",
  ),
  limit(
    every,
    "bodies beyond 256 kB that are decoded at once",
    maxConcurrentLarge,
    "the next ones wait",
  ),
  limit(
    every,
    "time that such a body may wait, milliseconds",
    decodeWaitMs,
    "503 or UNAVAILABLE, with Retry-After",
  ),
  limit(every, "spans of a request", maxSpans, final),
  limit(`${every}, protobuf`, "fields of a request", maxFields, final),
  limit(`${every}, protobuf`, "fields of a span or resource", maxFieldsTogether, final),
  limit(`${every}, protobuf`, "resources and scopes of a request", maxGroups, final),
  ...Object.entries(jsonLimits).map(([kind, max]) =>
    limit(`${every}, JSON`, `${kind} of a request`, max, final)
  ),
  limit(every, "nesting of an attribute's value", deepestValue, final),
  limit(every, "links of a span", maxLinks, "further ones are left out"),
  limit(spans, "stored text of an attribute, UTF-16 units", maxText, "cut"),
  limit(spans, "URL or statement parsed, UTF-16 units", maxRaw, "cut"),
  limit(spans, "path parsed, UTF-16 units", maxPath, "cut"),
  limit(spans, "entries of a list that are read", maxList, "cut"),
  limit(spans, "tables and topics of a span", maxTargetsPerSpan, "further ones are left out"),
  limit(records, "facts", maxFactsPerRecord, deadLetter),
  limit(records, "text, UTF-16 units", maxFactText, deadLetter),
  limit(records, "name of a service, UTF-16 units", maxServiceText, deadLetter),
  limit(
    records,
    "spans of a partition that wait",
    { key: "traces.max-waiting" },
    "the oldest expire",
  ),
  limit(publisher, "edges, and operations, of a service", maxEdges, "the oldest count"),
  limit(
    publisher,
    "services and hosts waiting to be resolved",
    maxQuarantined,
    "the one tried longest ago is removed",
  ),
];
