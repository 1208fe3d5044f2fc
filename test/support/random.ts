/** A seeded generator (mulberry32): tests that fail name the seed and run again alike. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Bytes that look random and are the same each time. */
export function bytesOf(length: number, seed = 1): Uint8Array {
  const next = seeded(seed);
  return Uint8Array.from({ length }, () => Math.floor(next() * 256));
}
