import type { Database } from "#metadata/postgres/database.ts";
import { remove, unused } from "#services/api/housekeeping/metadata-fields.queries.ts";

/**
 * Removes fields of custom metadata without any value, at most `max`; returns how many. Those of
 * collectors stay: batches look them up before they write.
 */
export function sweepMetadataFields(db: Database, max: number): Promise<number> {
  return db.transaction(async (tx) => {
    const found = await tx.query(unused, [max]);
    if (found.length === 0) return 0;
    return (await tx.query(remove, [found.map(({ id }) => id)])).length;
  });
}
