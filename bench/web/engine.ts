import type { Asked, Told } from "./engine.worker.ts";
import type { Drawing } from "./drawing.ts";

/** Most seconds for one row of a yardstick: what takes longer is ended and printed as `> 45 s`. */
export const mostSeconds = 45;

export interface Measured {
  ms: number;
  drawing: Drawing;
}

/** What another layout engine needs, or why there is no figure. It has a thread of its own, so that it can be ended. */
export function measuredEngine(asked: Asked): Promise<Measured | string> {
  const worker = new Worker(new URL("engine.worker.ts", import.meta.url), { type: "module" });
  const answer = new Promise<Measured | string>((done) => {
    worker.onmessage = ({ data }: MessageEvent<Told>) =>
      done("failed" in data ? `gave up: ${data.failed}` : data);
    worker.onerror = (event) => {
      event.preventDefault();
      done(`gave up: ${event.message.slice(0, 80)}`);
    };
    worker.postMessage(asked);
  });
  return withinLimit(answer, () => worker.terminate());
}

/** The figure, or that it took too long; `end` is called in either case. */
export async function withinLimit<T>(
  figure: Promise<T>,
  end: () => unknown,
): Promise<T | string> {
  const { promise: over, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`> ${mostSeconds} s`), mostSeconds * 1_000);
  try {
    return await Promise.race([figure, over]);
  } finally {
    clearTimeout(timer);
    await end();
  }
}
