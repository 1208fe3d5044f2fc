import { unavailable } from "#kit/errors.ts";
import { Handoff } from "./handoff.ts";

export interface StreamOptions {
  /** Milliseconds in which the next piece must have been taken. */
  maxWaitMs: number;
  /** Milliseconds after which the stream ends unfinished. */
  timeMs: number;
  /** Called once it has ended, with the reason if it ended unfinished. */
  ended: (error?: unknown) => void;
}

/**
 * Streams texts, each made when the one before was taken; empty ones let it see whether there still is a reader. Resolves
 * when the first is there: what fails before is the caller's, and `ended` is not called. What fails later breaks the
 * stream off, so that its reader does not take it for whole.
 */
export async function streamTexts(
  texts: AsyncGenerator<string>,
  { maxWaitMs, timeMs, ended }: StreamOptions,
): Promise<ReadableStream<Uint8Array>> {
  const deadline = Date.now() + timeMs;
  const first = await texts.next();
  const stream = new Handoff();
  const encoder = new TextEncoder();
  const work = async () => {
    for (let next = first; !next.done; next = await texts.next()) {
      const left = deadline - Date.now();
      if (left <= 0) throw unavailable("The export took too long");
      if (next.value === "") stream.check();
      else await stream.give(encoder.encode(next.value), Math.min(maxWaitMs, left));
    }
  };
  work().then(() => {
    stream.close();
    ended();
  }, async (error) => {
    stream.fail(error);
    await texts.return(undefined);
    ended(error);
  }).catch(() => {});
  return stream.readable;
}
