/** Buckets a doubling: neighbouring bounds differ by 9 %, so a quantile is off by at most 4.4 %. */
const perDoubling = 8;
const widest = Math.ceil(Math.log2(86_400_000_000) * perDoubling);

/** The bucket of a duration, 0 to 291: bucket n holds what is above 2^((n-1)/8) and up to 2^(n/8) µs. */
export function bucketOf(micros: number): number {
  if (micros <= 1) return 0;
  return Math.min(widest, Math.ceil(Math.log2(micros) * perDoubling));
}

/** The duration that stands for a bucket, as far from its bounds in proportion: microseconds. */
export function microsOf(bucket: number): number {
  const gamma = 2 ** (1 / perDoubling);
  return 2 ** (bucket / perDoubling) * 2 / (gamma + 1);
}

/**
 * The duration that a share `q` of all do not exceed, microseconds; null of none. `buckets` grow, and
 * `counts` stand next to them.
 */
export function quantile(buckets: number[], counts: number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rank = Math.max(1, Math.ceil(q * total));
  for (const [i, bucket] of buckets.entries()) {
    rank -= counts[i]!;
    if (rank <= 0) return microsOf(bucket);
  }
  return null;
}
