import { type Breather, turn } from "#kit/turns.ts";
import type { ResourceSpans } from "../model.ts";

/** Spans that facts are made of before whatever else waits for the event loop may have its turn. */
const atOnce = 100;

/** Runs all steps of a generator, with turns for others in between; resolves with what it returns. */
export async function inSteps<T>(steps: Generator<unknown, T>, breather: Breather): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await breather.breathe();
  }
}

/** Runs one piece of work after another, so that only one of them has its memory, and others their turn. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    await turn();
    try {
      return await work();
    } finally {
      resolve();
    }
  }
}

/** The same spans in lots of at most `most`. */
export function* lotsOf(all: ResourceSpans[], most = atOnce): Generator<ResourceSpans[]> {
  let lot: ResourceSpans[] = [];
  let size = 0;
  for (const { resource, spans } of all) {
    for (let from = 0; from < spans.length;) {
      const some = spans.slice(from, from + most - size);
      lot.push({ resource, spans: some });
      from += some.length;
      size += some.length;
      if (size < most) continue;
      yield lot;
      [lot, size] = [[], 0];
    }
  }
  if (size > 0) yield lot;
}
