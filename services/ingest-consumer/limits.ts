import { maxBatchName, maxPart } from "#eventlog/identity.ts";
import { keptOfOversize, maxHeaders, maxKey } from "#eventlog/letters.ts";
import type { Limit } from "#kit/limits.ts";

const place = "the record is named by its place in the log";
const shortened = "a shorter dead letter";

/** What a record of the event log may cost before it goes to the dead letters. */
export const recordLimits: Limit[] = [
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
    entrance: "dead letters of any topic",
    bounds: "value of a record too large, bytes",
    limit: keptOfOversize,
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
    bounds: "headers that are none of ours, UTF-16 units",
    limit: maxHeaders,
    beyond: shortened,
  },
];
