import { setImmediate } from "node:timers";

/** Lets the event loop have its turn, so that long work in memory delays nobody for all of it. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds of work after which others have their turn. */
const turnMs = 10;

/** Lets long work in memory breathe: call it often, and others have their turn every few milliseconds. */
export class Breather {
  #since = performance.now();

  /** Resolves at once until it is time. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#since < turnMs) return;
    await turn();
    this.#since = performance.now();
  }
}

/** The items in lots of `size`, with a turn of the event loop after each. */
export async function* inLots<T>(items: Iterable<T>, size: number): AsyncGenerator<T[]> {
  let lot: T[] = [];
  for (const item of items) {
    if (lot.push(item) < size) continue;
    yield lot;
    lot = [];
    await turn();
  }
  if (lot.length > 0) yield lot;
}
