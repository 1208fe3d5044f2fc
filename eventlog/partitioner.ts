const utf8 = new TextEncoder();

/**
 * The partition of a key: murmur2 of its UTF-8 bytes, as Kafka's clients compute it, so that all engines, and
 * collectors in other languages, choose the same partition.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(utf8.encode(key)) & 0x7fffffff) % partitions;
}

/** Assigns partitions in turn to records without a key. */
export class Spread {
  #next = Math.floor(Math.random() * 1_000);

  next(partitions: number): number {
    this.#next = (this.#next + 1) % 0x7fffffff;
    return this.#next % partitions;
  }
}

const seed = 0x9747b28c;
const m = 0x5bd1e995;

/** MurmurHash2, 32 bits, with Kafka's seed (`org.apache.kafka.common.utils.Utils.murmur2`). */
export function murmur2(data: Uint8Array): number {
  const length = data.length;
  let h = seed ^ length;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    let k = data[i]! | data[i + 1]! << 8 | data[i + 2]! << 16 | data[i + 3]! << 24;
    k = Math.imul(k, m);
    k ^= k >>> 24;
    h = Math.imul(h, m) ^ Math.imul(k, m);
  }
  const rest = length - i;
  if (rest >= 3) h ^= data[i + 2]! << 16;
  if (rest >= 2) h ^= data[i + 1]! << 8;
  if (rest >= 1) h = Math.imul(h ^ data[i]!, m);
  h ^= h >>> 13;
  h = Math.imul(h, m);
  return h ^ h >>> 15;
}
