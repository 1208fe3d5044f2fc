import type { EventLoopYielder } from "#kit/event-loop.ts";
import type { ResourceSpans } from "../model.ts";

/** Spans that facts are made of before the event loop may be yielded. */
const chunkSize = 100;

/** Runs all steps of a generator and yields the event loop in between; resolves with what it returns. */
export async function runSteps<T>(
  steps: Generator<unknown, T>,
  yielder: EventLoopYielder,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yielder.yieldWhenDue();
  }
}

/** The same spans in chunks of at most `max`. */
export function* chunksOf(all: ResourceSpans[], max = chunkSize): Generator<ResourceSpans[]> {
  let chunk: ResourceSpans[] = [];
  let size = 0;
  for (const { resource, spans } of all) {
    for (let from = 0; from < spans.length;) {
      const some = spans.slice(from, from + max - size);
      chunk.push({ resource, spans: some });
      from += some.length;
      size += some.length;
      if (size < max) continue;
      yield chunk;
      [chunk, size] = [[], 0];
    }
  }
  if (size > 0) yield chunk;
}
