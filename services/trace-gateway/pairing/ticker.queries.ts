import { statement } from "#metadata/postgres/statement.ts";

/** How far a partition is counted. */
interface PartitionOffset {
  partition: number;
  next_offset: number;
}

/** Partitions in which spans wait and nothing was counted for $1 milliseconds. */
export const quietPartitions = statement<PartitionOffset>("span-partitions-quiet")`
  SELECT partition, next_offset FROM span_checkpoint
   WHERE waiting > 0 AND changed_at < now() - $1 * interval '1 millisecond'
   ORDER BY partition`;

/** Where each partition stands. */
export const offsets = statement<PartitionOffset>("span-partition-offsets")`
  SELECT partition, next_offset FROM span_checkpoint`;
