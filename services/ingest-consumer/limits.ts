import { maxBatchName, maxPart } from "#contract/ingestion/frame.ts";
import { maxHeaders, maxKey, retainedOfOversize } from "#eventlog/rejected-records.ts";
import { jsonLimits, maxJsonDepth, maxJsonDigits } from "#contract/ingestion/inspect.ts";
import { maxItems } from "#contract/ingestion/limits.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { lowPriorityWaitMs } from "./consumer.ts";
import { readTimeoutMs } from "./reader.ts";
import { maxRunMetadata } from "./writes/runs.ts";

const records = "records of ingestion.batches";
const letters = "dead letters of any topic";

const place = "the record is named by its topic, partition and offset";
const shortened = "a shorter dead letter";
const invalid = "dead letter invalid_body";
const costly = "dead letter too_costly at the third delivery";

/** Limits on records of the event log, beyond which a record becomes a dead letter. */
export const recordLimits: Limit[] = [
  {
    entrance: records,
    bounds: "value, bytes",
    limit: { key: "ingestion.max-body-size" },
    beyond: "dead letter body_too_large",
  },
  limit(records, "nesting", maxJsonDepth, invalid),
  limit(records, "digits of a number", maxJsonDigits, invalid),
  limit(records, "objects and arrays in all", jsonLimits.containers, invalid),
  limit(records, "members of objects in all", jsonLimits.members, invalid),
  limit(
    records,
    "elements of arrays in all, but for the first of each",
    jsonLimits.elements,
    invalid,
  ),
  limit(records, "items; their lists as of POST /ingestion/entities", maxItems, invalid),
  limit(records, "time to parse, ms", readTimeoutMs, costly),
  limit(records, "name of the batch, characters", maxBatchName, place),
  limit(records, "number of the part", maxPart, place),
  limit(
    "records of ingestion.composed",
    "wait for batches of collectors, ms",
    lowPriorityWaitMs,
    "applied together with them",
  ),
  limit(
    records,
    "metadata values of a run",
    maxRunMetadata.values,
    "the first are stored",
  ),
  limit(records, "metadata value of a run, characters", maxRunMetadata.characters, "cut"),
  limit(letters, "value of a record too large, bytes", retainedOfOversize, shortened),
  limit(letters, "key, UTF-16 units", maxKey, shortened),
  limit(letters, "foreign headers, UTF-16 units", maxHeaders, shortened),
];
