import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

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

const withoutValues = `f.origin = 'INTERNAL'
     AND NOT EXISTS (SELECT FROM metadata_value v WHERE v.field_id = f.id)
     AND NOT EXISTS (SELECT FROM field_metadata_value v WHERE v.metadata_field_id = f.id)`;

/** $1 limit. Passes over fields that are just being used. */
const unused = plannedEachTime<{ id: number }>("metadata-fields-unused")`
  SELECT id FROM metadata_field f WHERE ${withoutValues}
   ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** $1 locked ids: looks again, since values may have come before the locks. */
const remove = plannedEachTime<{ id: number }>("metadata-fields-remove")`
  DELETE FROM metadata_field f WHERE f.id = ANY($1::bigint[]) AND ${withoutValues} RETURNING f.id`;
