import { statement } from "#metadata/postgres/statement.ts";
import type { SpanAccounting } from "./accounting.ts";

const columns = `
  next_offset, stream_time, replay_offset, replay_time, positions,
  read, paired, standalone, expired, duplicate, irrelevant, waiting`;

export type CheckpointRow = SpanAccounting & {
  next_offset: number;
  stream_time: number;
  replay_offset: number;
  replay_time: number;
  positions: Uint8Array;
};

/** $1 partition. */
export const loadCheckpoint = statement<CheckpointRow>("span-checkpoint-load")`
  SELECT ${columns} FROM span_checkpoint WHERE partition = $1`;

/** $1 partition, $2 first offset. */
export const beginCheckpoint = statement("span-checkpoint-begin")`
  INSERT INTO span_checkpoint
    (partition, next_offset, stream_time, replay_offset, replay_time, positions)
  VALUES ($1, $2, 0, $2, 0, '') ON CONFLICT DO NOTHING`;

/**
 * Moves the checkpoint of a partition on, if it still stands where this worker left it ($2); no row
 * otherwise. $8 to $14 are what the accounts gained.
 */
export const moveCheckpoint = statement("span-checkpoint")`
  UPDATE span_checkpoint SET
    next_offset = $3, stream_time = $4, replay_offset = $5, replay_time = $6, positions = $7,
    read = read + $8, paired = paired + $9, standalone = standalone + $10,
    expired = expired + $11, duplicate = duplicate + $12, irrelevant = irrelevant + $13,
    waiting = waiting + $14, changed_at = now()
  WHERE partition = $1 AND next_offset = $2
  RETURNING partition`;

/** Restarts in a recreated log: $1 partition, $2 first offset, $3 previous offset. */
export const resetCheckpoint = statement("span-checkpoint-reset")`
  UPDATE span_checkpoint SET
    next_offset = $2, stream_time = 0, replay_offset = $2, replay_time = 0, positions = '',
    expired = expired + waiting, waiting = 0, changed_at = now()
  WHERE partition = $1 AND next_offset = $3`;
