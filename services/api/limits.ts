import { maxJsonDepth } from "#contract/ingestion/json.ts";
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
];
