import { unavailable } from "#kit/errors.ts";
import { ConcurrencyLimiter } from "#kit/limiter.ts";
import { withTimeout } from "#kit/retry.ts";

/** Bounds how many things that take long run at once in this process; nobody waits for one. */
export class Slots {
  readonly #limiter: ConcurrencyLimiter;

  /** `what` they are, as the refusal calls them. A caller leaves half of them to others. */
  constructor(max: number, what: string) {
    this.#limiter = new ConcurrencyLimiter({
      concurrency: max,
      concurrencyPerKey: Math.ceil(max / 2),
      maxWaiting: 0,
      waitMs: 0,
      refused: `Too many ${what} are running`,
      refusedKey: `Too many ${what} of yours are running`,
      retryAfter: 5,
    });
  }

  /** Takes one; returns how to give it back. Throws 429 when the caller has its share, 503 when none is free. */
  take(caller = ""): () => void {
    return this.#limiter.enterNow(caller);
  }
}

interface StreamOptions {
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

/** A stream whose pieces are given one by one, each when its reader wants it. */
export class Handoff {
  readonly readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #wanted = Promise.withResolvers<void>();
  #gone = false;

  constructor() {
    this.readable = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#wanted.resolve(),
      cancel: () => {
        this.#gone = true;
        this.#wanted.reject(gone());
      },
    }, { highWaterMark: 0 });
    // Thrown to the caller that passes the next piece, if any.
    this.#wanted.promise.catch(() => {});
  }

  /** Resolves once the reader has wanted it and got it; rejects when he has gone, or takes longer. */
  async give(piece: Uint8Array, withinMs: number): Promise<void> {
    const late = () => unavailable("The export was not read in time");
    await withTimeout(this.#wanted.promise, Math.max(0, withinMs), late);
    this.#wanted = Promise.withResolvers();
    this.#wanted.promise.catch(() => {});
    this.#controller.enqueue(piece);
  }

  /** Throws when the reader has gone. */
  check(): void {
    if (this.#gone) throw gone();
  }

  close(): void {
    this.#controller.close();
  }

  /** Breaks the stream off, so that its reader does not take it for whole. */
  fail(error: unknown): void {
    this.#controller.error(error);
  }
}

const gone = () => new Error("the reader has gone");
