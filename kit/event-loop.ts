import { setImmediate } from "node:timers";

/** Resolves after the event loop has handled pending events, so that long computations do not block it. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Milliseconds of work after which the event loop is yielded. A batch of a collector is tens of statements, one after the
 * other, and the answer to each may have to wait for that long.
 */
const sliceMs = 4;

/** Computations that wait to go on. */
const computations: (() => void)[] = [];

/** Lets one computation go on; the next one when pending events have been handled again. */
function next(): void {
  computations.shift()?.();
  if (computations.length > 0) setImmediate(next);
}

/** Resolves in a turn of the event loop in which no other computation goes on: the slices of many would add up. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (computations.push(resolve) === 1) setImmediate(next);
  });
}

/**
 * Yields to the event loop every few milliseconds during a long computation that calls it often. Between two turns of the
 * event loop one such computation goes on.
 */
export class EventLoopYielder {
  #since = performance.now();

  /** `ms`: length of its slices. */
  constructor(private readonly ms: number = sliceMs) {}

  /** Resolves without yielding while the time slice is not used up. */
  async yieldWhenDue(): Promise<void> {
    if (performance.now() - this.#since < this.ms) return;
    await turn();
    this.#since = performance.now();
  }
}

/** Yields the items in batches of `size`, and yields to the event loop after each batch. */
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
