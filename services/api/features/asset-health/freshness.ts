/** Fewer updates say nothing about a rhythm. */
const minUpdates = 5;

/** An entity is late after so many usual gaps. */
const lateAfter = 2;

export interface FreshnessAnswer {
  state: "FRESH" | "LATE";
  /** ISO 8601 in UTC. */
  last_updated_at: string;
  usual_gap_seconds: number;
}

/**
 * Whether an entity was updated as usual. `updates` are the last ones, newest first, in milliseconds since 1970; `now`
 * likewise. The usual gap is the median of the gaps between them. Null where fewer than five updates are known, or all
 * are of one moment.
 */
export function freshnessOf(updates: readonly number[], now: number): FreshnessAnswer | null {
  if (updates.length < minUpdates) return null;
  const gaps = updates.slice(1).map((at, index) => updates[index]! - at).sort((a, b) => a - b);
  const middle = gaps.length >> 1;
  const median = gaps.length % 2 === 1 ? gaps[middle]! : (gaps[middle - 1]! + gaps[middle]!) / 2;
  if (median <= 0) return null;
  const last = updates[0]!;
  return {
    state: now - last > lateAfter * median ? "LATE" : "FRESH",
    last_updated_at: new Date(last).toISOString(),
    usual_gap_seconds: Math.round(median / 1_000),
  };
}
