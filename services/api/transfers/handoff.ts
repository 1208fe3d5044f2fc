import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";

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
