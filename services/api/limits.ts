import { jsonLimits, maxJsonDepth, maxJsonDigits } from "#contract/ingestion/json.ts";
import type { Limit } from "#kit/limits.ts";

/** What requests to the API may cost before they are refused. */
export const apiLimits: Limit[] = [
  {
    entrance: "POST /ingestion/entities",
    bounds: "body after decompression, bytes",
    limit: { key: "ingestion.max-body-size" },
    beyond: "500, not retryable",
  },
  { entrance: "/ingestion/*", bounds: "nesting", limit: maxJsonDepth, beyond: "400" },
  { entrance: "/ingestion/*", bounds: "digits of a number", limit: maxJsonDigits, beyond: "400" },
  {
    entrance: "/ingestion/*",
    bounds: "objects and arrays of a body",
    limit: jsonLimits.containers,
    beyond: "400",
  },
  {
    entrance: "/ingestion/*",
    bounds: "members of all objects of a body",
    limit: jsonLimits.members,
    beyond: "400",
  },
  {
    entrance: "/ingestion/*",
    bounds: "elements of all arrays of a body, but for the first of each",
    limit: jsonLimits.elements,
    beyond: "400",
  },
];
