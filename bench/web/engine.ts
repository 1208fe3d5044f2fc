import type { MeasureRequest, MeasureResponse } from "./engine.worker.ts";
import type { LayoutDrawing } from "./drawing.ts";

/** Maximum number of seconds for one row of a yardstick: what takes longer is ended and printed as `> 45 s`. */
export const maxSeconds = 45;

export interface Measurement {
  ms: number;
  drawing: LayoutDrawing;
}

/** What another layout engine needs, or why there is no figure. It has a thread of its own, so that it can be ended. */
export function measuredEngine(request: MeasureRequest): Promise<Measurement | string> {
  const worker = new Worker(new URL("engine.worker.ts", import.meta.url), { type: "module" });
  const answer = new Promise<Measurement | string>((done) => {
    worker.onmessage = ({ data }: MessageEvent<MeasureResponse>) =>
      done("failed" in data ? `gave up: ${data.failed}` : data);
    worker.onerror = (event) => {
      event.preventDefault();
      done(`gave up: ${event.message.slice(0, 80)}`);
    };
    worker.postMessage(request);
  });
  return withinLimit(answer, () => worker.terminate());
}

/** The figure, or that it took too long; `end` is called in either case. */
export async function withinLimit<T>(
  measurement: Promise<T>,
  end: () => unknown,
): Promise<T | string> {
  const { promise: over, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`> ${maxSeconds} s`), maxSeconds * 1_000);
  try {
    return await Promise.race([measurement, over]);
  } finally {
    clearTimeout(timer);
    await end();
  }
}
