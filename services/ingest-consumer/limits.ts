import { jsonLimits, maxJsonDepth, maxJsonDigits } from "#contract/ingestion/json.ts";
import { maxItems } from "#contract/ingestion/limits.ts";
import type { Limit } from "#kit/limits.ts";
import { readTimeoutMs } from "./reader.ts";

const entrance = "records of ingestion.batches";

/** What a record of the event log may cost before it goes to the dead letters. */
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
    bounds: "time to be read, ms",
    limit: readTimeoutMs,
    beyond: "dead letter too_costly at the third delivery",
  },
];

function row(bounds: string, limit: number): Limit {
  return { entrance, bounds, limit, beyond: "dead letter invalid_body" };
}
