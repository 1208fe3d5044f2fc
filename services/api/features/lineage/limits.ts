import { limit } from "#kit/limits.ts";
import { maxMoments } from "#services/api/features/lineage/changes.ts";
import { maxRequestedColumns } from "#services/api/features/lineage/columns.ts";

/** Limits on questions of lineage. */
export const lineageLimits = [
  limit(
    "GET /api/datasets/{data_entity_id}/columns/lineage/…",
    "columns named",
    maxRequestedColumns,
  ),
  limit(
    "changes of lineage",
    "moments looked at for an answer",
    maxMoments,
    "the answer has a cursor to go on after",
  ),
];
