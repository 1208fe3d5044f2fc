import { maxDetails } from "#contract/bounded.ts";
import { maxCatrnBytes } from "#contract/entities.ts";
import { maxRoutedAlerts } from "#contract/ingestion/alertmanager.ts";
import { maxSourceAlerts } from "#contract/ingestion/source-alerts.ts";
import {
  type JsonLimits,
  jsonLimits,
  maxJsonDepth,
  maxJsonDigits,
} from "#contract/ingestion/inspect.ts";
import { maxReportedText } from "#contract/ingestion/report.ts";
import * as lists from "#contract/ingestion/limits.ts";
import { maxIndexedBytes } from "#contract/ingestion/values.ts";
import { type Limit, limit } from "#kit/limits.ts";
import { maxCachedBytes } from "#platform/batches-in-process.ts";
import { maxDescription } from "#metadata/catalogue/alerts.ts";
import { maxBufferedBodies } from "#platform/http/body.ts";
import { maxAlertBody } from "./alerts/router.ts";
import { bodyLimits } from "./bodies/read.ts";
import { deadlineMs, maxReading, maxWaiting } from "./bodies/pool.ts";

const all = "/ingestion/*";
const entities = "POST /ingestion/entities";
const alerts = "POST /ingestion/alert/{alertrouter,alertmanager}";
const sourceAlerts = "POST /ingestion/alerts";
const others = "the other bodies of /ingestion";

/** Limits on what is posted to the catalogue, beyond which it is refused. */
export const ingestionLimits: Limit[] = [
  limit(
    entities,
    "body after decompression, bytes",
    { key: "ingestion.max-body-size" },
    "500, not retryable",
  ),
  limit(alerts, "body after decompression, bytes", maxAlertBody, "413"),
  limit(all, "buffered bodies, in units of the largest", maxBufferedBodies, "503, Retry-After"),
  limit(
    all,
    "bodies over 64 kB, or of thousands of items, that are read at once",
    maxReading,
    "they wait",
  ),
  limit(all, "bodies over 4 MB that are read at once", 1, "they wait"),
  limit(
    all,
    "bodies over 64 kB, or of thousands of items, that wait to be read",
    maxWaiting,
    "503, Retry-After",
  ),
  limit(all, "time to parse a body, ms", deadlineMs, "503; the parsing thread is ended"),
  limit(
    entities,
    "batches and their parsed chunks, cached for the consumer in the same process, bytes",
    maxCachedBytes,
    "the consumer reads them again",
  ),
  limit(all, "nesting", maxJsonDepth),
  limit(all, "digits of a number", maxJsonDigits),
  limit(all, "errors listed in a response", maxDetails, "not listed"),
  limit(
    all,
    "field and message of such an error in a 2xx response, UTF-16 units",
    maxReportedText,
    "cut",
  ),
  ...contents(entities, jsonLimits),
  ...contents(others, bodyLimits),
  limit(all, "CATRN, bytes", maxCatrnBytes),
  limit(all, "unique name (tag, metadata field, value), bytes", maxIndexedBytes),
  limit(entities, "items", lists.maxItems),
  limit(entities, "fields of a dataset", lists.maxFields),
  limit(entities, "CATRNs of one list", lists.maxNamed),
  limit(entities, "column edges of an item", lists.maxColumnEdges),
  limit(entities, "name of a column in lineage, bytes", lists.maxColumnBytes),
  limit(entities, "subtype of a column edge, UTF-16 units", lists.maxEdgeSubtype),
  limit(entities, "description of a column edge, UTF-16 units", lists.maxEdgeDescription),
  limit(entities, "owners of one entity", lists.maxOwners),
  limit(entities, "tags, extensions or links of one entity or field", lists.maxMarks),
  limit(entities, "members of a free map", lists.maxMapMembers),
  limit(entities, "values of an enumeration", lists.maxEnumValues),
  limit("POST /ingestion/datasources", "data sources", lists.maxDataSources),
  limit("POST /ingestion/entities/datasets/stats", "datasets", lists.maxTargets),
  limit("POST /ingestion/entities/datasets/stats", "fields in all", lists.maxStatistics),
  limit("POST /ingestion/metrics", "entities and fields", lists.maxTargets),
  limit("POST /ingestion/metrics", "families, series or points of one list", lists.maxSeries),
  limit("POST /ingestion/metrics", "points in all", lists.maxPoints),
  limit("POST /ingestion/metrics", "buckets or quantiles of a point", lists.maxBuckets),
  limit(alerts, "alerts", maxRoutedAlerts),
  limit(sourceAlerts, "body after decompression, bytes", maxAlertBody, "413"),
  limit(sourceAlerts, "alerts", maxSourceAlerts),
  limit(sourceAlerts, "message, UTF-16 units", maxDescription, "cut"),
  limit(alerts, "labels of an alert", lists.maxMarks),
];

function contents(entrance: string, limits: JsonLimits): Limit[] {
  return [
    limit(entrance, "objects and arrays in all", limits.containers),
    limit(entrance, "members of objects in all", limits.members),
    limit(entrance, "elements of arrays in all, but for the first of each", limits.elements),
  ];
}
