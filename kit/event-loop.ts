import { setImmediate } from "node:timers";

/** Resolves after the event loop has handled what was waiting, so that long work in memory does not block it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds of work after which the event loop is yielded. */
const sliceMs = 10;

/** Yields the event loop every few milliseconds of long work in memory that calls it often. */
export class EventLoopYielder {
  #since = performance.now();

  /** Resolves without yielding until the time slice is used up. */
  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.#since < sliceMs) return;
    await yieldToEventLoop();
    this.#since = performance.now();
  }
}

/** The items in batches of `size`; yields the event loop after each. */
export async function* inBatches<T>(items: Iterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
    await yieldToEventLoop();
  }
  if (batch.length > 0) yield batch;
}
