import { maxJsonDepth } from "#contract/ingestion/inspect.ts";
import { eventJsonLimits } from "#contract/openlineage/json.ts";
import * as bounds from "#contract/openlineage/limits.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { maxIntakeWarnings, maxWaitingWarnings } from "#metadata/openlineage/intake-warnings.ts";
import { maxBufferedBodies } from "#platform/http/body.ts";
import { maxWaitingBytes, publishMs } from "#platform/openlineage/publisher.ts";
import {
  deadlineMs,
  inlineBytes,
  maxBatchBytes,
  maxCooldownMs,
  maxEventBytes,
  maxEvents,
  maxWaiting,
} from "./bodies.ts";

const one = "POST /api/v1/lineage";
const many = "POST /api/v1/lineage/batch";
const all = "/api/v1/lineage*";
const event = "OpenLineage events";
const later = "503, Retry-After";
const leftOut = "further ones are left out, the answer counts them";

/** Limits on OpenLineage events. Beyond those of an event parts of it are left out, and the rest is taken. */
export const lineageIntakeLimits: Limit[] = [
  limit(one, "body after decompression, bytes", maxEventBytes, "413"),
  limit(many, "body after decompression, bytes", maxBatchBytes, "413"),
  limit(all, "events of a body", maxEvents, "413"),
  limit(all, "buffered bodies, in units of the largest", maxBufferedBodies, later),
  limit(all, `bodies over ${inlineBytes} bytes that wait to be read`, maxWaiting, later),
  limit(
    all,
    "pause after each of these while a collector's batch is in flight, ms",
    maxCooldownMs,
    "they wait",
  ),
  limit(all, "time to parse a body, ms", deadlineMs, "503; the parsing thread is ended"),
  limit(all, "wait for the event log, ms", publishMs.atLeast, later),
  limit(all, "additional wait for the event log, ms for each MB", publishMs.ofMegabyte, later),
  limit(all, "bytes that wait for the event log", maxWaitingBytes, later),
  limit(event, "nesting of JSON", maxJsonDepth, "the event is refused"),
  limit(event, "objects and arrays", eventJsonLimits.containers, "the event is refused"),
  limit(event, "members of objects", eventJsonLimits.members, "the event is refused"),
  limit(event, "elements of arrays", eventJsonLimits.elements, "the event is refused"),
  limit(event, "id of a run, bytes", bounds.maxRunIdBytes, "the event is refused"),
  limit(event, "namespace, bytes", bounds.maxNamespaceBytes, "the event or dataset is refused"),
  limit(event, "name, bytes", bounds.maxNameBytes, "the event or dataset is refused"),
  limit(event, "datasets of a side", bounds.maxDatasets, leftOut),
  limit(event, "fields of a dataset, nested ones too", bounds.maxFields, leftOut),
  limit(event, "nesting of stored values", bounds.maxDepth, "what lies deeper is left out"),
  limit(event, "name of a field, bytes", bounds.maxFieldNameBytes, "the field is left out"),
  limit(event, "text, such as SQL, bytes", bounds.maxTextBytes, "cut"),
  limit(event, "other names of a dataset", bounds.maxSymlinks, leftOut),
  limit(event, "entries of every other list", bounds.maxListed, leftOut),
  limit(event, "intake warnings retained", maxIntakeWarnings, "the oldest are removed"),
  limit(
    event,
    "intake warnings that wait to be written",
    maxWaitingWarnings,
    "further ones are only counted",
  ),
];
