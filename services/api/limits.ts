import { maxParameterList, maxParameterText } from "#contract/http.ts";
import { longestQuery, mostChosen } from "#services/api/features/search/schemas.ts";
import { maxSession } from "#services/api/features/search/state.ts";
import { lookedThroughInAll } from "#services/api/features/search/terms.ts";
import { countedCharacters, countedWords } from "#services/api/features/search/words.ts";
import { maxSessions } from "#services/api/housekeeping/jobs.ts";
import { maxRoutedAlerts } from "#contract/ingestion/alertmanager.ts";
import { maxDetails } from "#contract/bounded.ts";
import {
  type JsonLimits,
  jsonLimits,
  maxJsonDepth,
  maxJsonDigits,
} from "#contract/ingestion/json.ts";
import * as lists from "#contract/ingestion/limits.ts";
import { maxCatrnBytes } from "#contract/entities.ts";
import { maxIndexedBytes } from "#contract/ingestion/values.ts";
import type { Limit } from "#kit/limits.ts";
import { maxHeldBodies } from "#platform/http/body.ts";
import { maxMembers } from "./features/groups/schemas.ts";
import { maxAlertBody } from "./features/ingestion/alert-router.ts";
import { bodyLimits } from "./features/ingestion/bodies.ts";
import { deadlineMs, maxReading, maxWaiting } from "./features/ingestion/prepare-pool.ts";

const all = "/ingestion/*";
const entities = "POST /ingestion/entities";
const others = "the other bodies of /ingestion";

/** What requests to the API may cost before they are refused. */
export const apiLimits: Limit[] = [
  {
    entrance: entities,
    bounds: "body after decompression, bytes",
    limit: { key: "ingestion.max-body-size" },
    beyond: "500, not retryable",
  },
  {
    entrance: "POST /ingestion/alert/alertrouter",
    bounds: "body after decompression, bytes",
    limit: maxAlertBody,
    beyond: "413",
  },
  row(all, "bodies held at once, in units of the largest", maxHeldBodies, "503, Retry-After"),
  row(all, "bodies over 64 kB that are read at once", maxReading, "they wait"),
  row(all, "bodies over 4 MB that are read at once", 1, "they wait"),
  row(all, "bodies over 64 kB that wait to be read", maxWaiting, "503, Retry-After"),
  row(all, "time of a body to be read, ms", deadlineMs, "503, and its thread is ended"),
  row(all, "nesting", maxJsonDepth),
  row(all, "digits of a number", maxJsonDigits),
  row(all, "wrong places that an answer names", maxDetails, "not named"),
  ...contents(entities, jsonLimits),
  ...contents(others, bodyLimits),
  row(all, "CATRN, bytes", maxCatrnBytes),
  row(all, "name that is kept unique (tag, metadata field, value), bytes", maxIndexedBytes),
  row(entities, "items", lists.maxItems),
  row(entities, "fields of a dataset", lists.maxFields),
  row(entities, "CATRNs of one list", lists.maxNamed),
  row(entities, "tags, extensions or links of one entity or field", lists.maxMarks),
  row(entities, "members of a free map", lists.maxMapMembers),
  row(entities, "values of an enumeration", lists.maxEnumValues),
  row("POST /ingestion/datasources", "data sources", lists.maxDataSources),
  row("POST /ingestion/entities/datasets/stats", "datasets", lists.maxTargets),
  row("POST /ingestion/entities/datasets/stats", "fields in all", lists.maxStatistics),
  row("POST /ingestion/metrics", "entities and fields", lists.maxTargets),
  row("POST /ingestion/metrics", "families, series or points of one list", lists.maxSeries),
  row("POST /ingestion/metrics", "points in all", lists.maxPoints),
  row("POST /ingestion/metrics", "buckets or quantiles of a point", lists.maxBuckets),
  row("POST /ingestion/alert/alertrouter", "alerts", maxRoutedAlerts),
  row("POST /ingestion/alert/alertrouter", "labels of an alert", lists.maxMarks),
  row("groups made by hand", "members", maxMembers),
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

function row(entrance: string, bounds: string, limit: number, beyond = "400"): Limit {
  return { entrance, bounds, limit, beyond };
}

function contents(entrance: string, limits: JsonLimits): Limit[] {
  return [
    row(entrance, "objects and arrays in all", limits.containers),
    row(entrance, "members of objects in all", limits.members),
    row(entrance, "elements of arrays in all, but for the first of each", limits.elements),
  ];
}
