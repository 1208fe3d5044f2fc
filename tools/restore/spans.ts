import type { Database, Row } from "#metadata/postgres/database.ts";
import { tracesSpans } from "#contract/topics.ts";
import { decodePositions, encodePositions } from "#services/trace-gateway/pairing/positions.ts";
import type { MovedOffsets, OffsetMap } from "./event-log.ts";
import { checkpoints, moveCheckpoint } from "./queries.ts";

interface CheckpointRow extends Row {
  partition: number;
  next_offset: number;
  replay_offset: number;
  positions: Uint8Array;
}

/**
 * Moves the checkpoints of the pairing of spans to where the restored log has the same records, so that each is
 * counted once.
 */
export async function moveCheckpoints(db: Database, moved: OffsetMap): Promise<void> {
  const partitions = moved.get(tracesSpans) ?? new Map<number, MovedOffsets>();
  for (const row of await db.query<CheckpointRow>(checkpoints)) {
    const offsets = partitions.get(row.partition) ?? { before: [], after: [], end: 0 };
    const { positions, lost } = movedPositions(row.positions, offsets);
    const [next, replay] = [row.next_offset, row.replay_offset].map((offset) =>
      movedOffset(offset, offsets)
    );
    await db.query(moveCheckpoint, [row.partition, next, replay, positions, lost]);
  }
}

/** Where the first record at or after an offset is now; the end of the partition when there is none. */
export function movedOffset(offset: number, { before, after, end }: MovedOffsets): number {
  let [low, high] = [0, before.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return after[low] ?? end;
}

/** Facts that wait, at their new places; `lost`: how many are of records that the backup does not hold. */
export function movedPositions(
  encoded: Uint8Array,
  offsets: MovedOffsets,
): { positions: Uint8Array; lost: number } {
  const now = new Map(offsets.before.map((offset, at) => [offset, offsets.after[at]!]));
  const places: { offset: number; index: number }[] = [];
  let lost = 0;
  for (const [offset, indexes] of decodePositions(encoded)) {
    const at = now.get(offset);
    if (at === undefined) lost += indexes.size;
    else for (const index of indexes) places.push({ offset: at, index });
  }
  return { positions: encodePositions(places), lost };
}
