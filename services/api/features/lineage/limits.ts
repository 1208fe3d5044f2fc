import { limit } from "#kit/limits.ts";
import { maxMoments } from "#services/api/features/lineage/changes.ts";
import { maxRequestedColumns } from "#services/api/features/lineage/columns.ts";

/** Questions of lineage that one process answers: a caller leaves half of the places to others. */
export const lineageQueue = {
  concurrency: 4,
  concurrencyPerKey: 2,
  maxWaiting: 256,
  maxWaitingPerKey: 64,
} as const;

/**
 * Time of walks that one person may use at once in one process, the share of the time from then on, and the longest time for
 * which a request waits for it, in milliseconds: the processors are left to others, and nobody waits long for a large answer.
 */
export const lineageTime = { atOnceMs: 1_000, share: 0.25, maxRestMs: 2_000 } as const;

const walks = "lineage of entities, groups and columns";

/** Limits on questions of lineage. */
export const lineageLimits = [
  limit(walks, "answered at once by one process", lineageQueue.concurrency, "they wait"),
  limit(walks, "answered at once for one caller", lineageQueue.concurrencyPerKey, "they wait"),
  limit(walks, "time of one person at once, ms", lineageTime.atOnceMs, "they wait"),
  limit(
    walks,
    "time of one person from then on, % of the time",
    lineageTime.share * 100,
    "they wait",
  ),
  limit(walks, "waiting", lineageQueue.maxWaiting, "503 with Retry-After"),
  limit(walks, "of one caller waiting", lineageQueue.maxWaitingPerKey, "429 with Retry-After"),
  limit(
    "GET /api/datasets/{data_entity_id}/columns/lineage/…",
    "columns named",
    maxRequestedColumns,
  ),
  limit(
    "changes of lineage",
    "points in time examined for a response",
    maxMoments,
    "the response has a cursor to continue",
  ),
];
