import type { AgeRetention } from "#services/api/housekeeping/retained-rows.ts";

/** Purging history moves the earliest time for which lineage can be answered. */
const forgotten = (change: string) =>
  `WITH gone AS (${change} RETURNING 1),
   recorded AS (UPDATE lineage_history_begin SET at = $1 WHERE at < $1 AND EXISTS (SELECT FROM gone))
   SELECT count(*) AS count FROM gone`;

/** What lineage as of a past time is made of. */
export const pastLineage: readonly AgeRetention<string>[] = [
  {
    name: "lineage-history",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM lineage_edge_history WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM lineage_edge_history
         WHERE until < $1 AND establisher_id > 0 ORDER BY until LIMIT $2))`),
  },
  {
    // Also removes the columns that nothing names any more.
    name: "column-history",
    retentionKey: "lineage_history_days",
    sql: "SELECT forget_column_history($1, $2) AS count",
  },
  {
    // By the end of the deletion; one without an end is retained until its entity is purged.
    name: "deletion-history",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM entity_deletion WHERE (entity_id, since) IN (
        SELECT d.entity_id, d.since FROM entity_deletion d
         WHERE d.until < $1 OR d.until IS NULL AND d.since < $1
               AND NOT EXISTS (SELECT FROM data_entity e WHERE e.id = d.entity_id)
         LIMIT $2)`),
  },
  {
    // What purged entities were called.
    name: "tombstones",
    retentionKey: "lineage_history_days",
    sql: forgotten(`
      DELETE FROM entity_tombstone WHERE (entity_id, purged_at) IN (
        SELECT entity_id, purged_at FROM entity_tombstone
         WHERE purged_at < $1 ORDER BY purged_at LIMIT $2)`),
  },
];
