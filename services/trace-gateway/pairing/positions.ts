import type { LogPosition } from "./memory.ts";

/**
 * Places in the log in few bytes, in their order: for each record the distance to the one before, how
 * many places it has, and the distances of these, all as integers of seven bits a byte.
 */
export function encodePositions(positions: Iterable<LogPosition>): Uint8Array {
  const writer = new Writer();
  let offset = 0;
  let indexes: number[] = [];
  let last = 0;
  const flush = () => {
    if (indexes.length === 0) return;
    writer.integer(offset - last);
    writer.integer(indexes.length);
    let before = 0;
    for (const index of indexes) {
      writer.integer(index - before);
      before = index;
    }
    last = offset;
    indexes = [];
  };
  for (const place of positions) {
    if (place.offset !== offset) {
      flush();
      offset = place.offset;
    }
    indexes.push(place.index);
  }
  flush();
  return writer.bytes();
}

/** By offset, the places within its record. */
export function decodePositions(bytes: Uint8Array): Map<number, Set<number>> {
  const positions = new Map<number, Set<number>>();
  let at = 0;
  const integer = () => {
    let value = 0;
    for (let weight = 1;; weight *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError("the positions of a checkpoint are cut off");
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  for (let offset = 0; at < bytes.length;) {
    offset += integer();
    const indexes = new Set<number>();
    let index = 0;
    for (let left = integer(); left > 0; left--) indexes.add(index += integer());
    positions.set(offset, indexes);
  }
  return positions;
}

class Writer {
  #bytes = new Uint8Array(256);
  #length = 0;

  integer(value: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#bytes[this.#length++] = rest % 128 + 128;
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
