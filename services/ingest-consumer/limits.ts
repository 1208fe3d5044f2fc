import { maxBatchName, maxPart } from "#contract/ingestion/frame.ts";
import { maxHeaders, maxKey, retainedOfOversize } from "#eventlog/rejected-records.ts";
import { jsonLimits, maxJsonDepth, maxJsonDigits } from "#contract/ingestion/inspect.ts";
import { maxItems } from "#contract/ingestion/limits.ts";
import type { Limit } from "#kit/limits.ts";
import { lowPriorityWaitMs } from "./consumer.ts";
import { readTimeoutMs } from "./reader.ts";
import { maxRunMetadata } from "./writes/runs.ts";

const entrance = "records of ingestion.batches";

const place = "the record is named by its topic, partition and offset";
const shortened = "a shorter dead letter";

/** Limits on records of the event log, beyond which a record becomes a dead letter. */
export const recordLimits: Limit[] = [
  {
    entrance,
    bounds: "value, bytes",
    limit: { key: "ingestion.max-body-size" },
    beyond: "dead letter body_too_large",
  },
  row("nesting", maxJsonDepth),
  row("digits of a number", maxJsonDigits),
  row("objects and arrays in all", jsonLimits.containers),
  row("members of objects in all", jsonLimits.members),
  row("elements of arrays in all, but for the first of each", jsonLimits.elements),
  row("items; their lists as of POST /ingestion/entities", maxItems),
  {
    entrance,
    bounds: "time to parse, ms",
    limit: readTimeoutMs,
    beyond: "dead letter too_costly at the third delivery",
  },
  {
    entrance: "records of ingestion.batches",
    bounds: "name of the batch, characters",
    limit: maxBatchName,
    beyond: place,
  },
  {
    entrance: "records of ingestion.batches",
    bounds: "number of the part",
    limit: maxPart,
    beyond: place,
  },
  {
    entrance: "records of ingestion.composed",
    bounds: "wait for batches of collectors, ms",
    limit: lowPriorityWaitMs,
    beyond: "applied together with them",
  },
  {
    entrance,
    bounds: "metadata values of a run",
    limit: maxRunMetadata.values,
    beyond: "the first are stored",
  },
  {
    entrance,
    bounds: "metadata value of a run, characters",
    limit: maxRunMetadata.characters,
    beyond: "cut",
  },
  {
    entrance: "dead letters of any topic",
    bounds: "value of a record too large, bytes",
    limit: retainedOfOversize,
    beyond: shortened,
  },
  {
    entrance: "dead letters of any topic",
    bounds: "key, UTF-16 units",
    limit: maxKey,
    beyond: shortened,
  },
  {
    entrance: "dead letters of any topic",
    bounds: "foreign headers, UTF-16 units",
    limit: maxHeaders,
    beyond: shortened,
  },
];

function row(bounds: string, limit: number): Limit {
  return { entrance, bounds, limit, beyond: "dead letter invalid_body" };
}
