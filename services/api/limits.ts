import { maxJsonDepth } from "#contract/ingestion/json.ts";
import { maxParameterList, maxParameterText } from "#contract/http.ts";
import type { Limit } from "#kit/limits.ts";
import { longestQuery, mostChosen } from "#services/api/features/search/schemas.ts";
import { maxSession } from "#services/api/features/search/state.ts";
import { lookedThroughInAll } from "#services/api/features/search/terms.ts";
import { countedCharacters, countedWords } from "#services/api/features/search/words.ts";
import { maxSessions } from "#services/api/housekeeping/jobs.ts";

/** What requests to the API may cost before they are refused. */
export const apiLimits: Limit[] = [
  {
    entrance: "POST /ingestion/entities",
    bounds: "body after decompression, bytes",
    limit: { key: "ingestion.max-body-size" },
    beyond: "500, not retryable",
  },
  { entrance: "/ingestion/*", bounds: "nesting", limit: maxJsonDepth, beyond: "400" },
  {
    entrance: "parameters of /api and /ingestion",
    bounds: "text, UTF-16 units",
    limit: maxParameterText,
    beyond: "400",
  },
  {
    entrance: "parameters of /api and /ingestion",
    bounds: "values of a list",
    limit: maxParameterList,
    beyond: "400",
  },
  {
    entrance: "/api/search",
    bounds: "query, UTF-16 units",
    limit: longestQuery,
    beyond: "400",
  },
  {
    entrance: "/api/search",
    bounds: "query that counts, UTF-16 units",
    limit: countedCharacters,
    beyond: "the rest is not looked for",
  },
  {
    entrance: "/api/search",
    bounds: "words that count",
    limit: countedWords,
    beyond: "the rest is not looked for",
  },
  {
    entrance: "/api/search",
    bounds: "values chosen in a session",
    limit: mostChosen,
    beyond: "400",
  },
  {
    entrance: "/api/search",
    bounds: "session, UTF-16 units of JSON",
    limit: maxSession,
    beyond: "400",
  },
  {
    entrance: "/api/search",
    bounds: "sessions kept",
    limit: maxSessions,
    beyond: "those used longest ago are removed",
  },
  {
    entrance: "highlights of a search",
    bounds: "texts looked through, UTF-16 units",
    limit: lookedThroughInAll,
    beyond: "the rest is shown without marks, or not at all",
  },
];
