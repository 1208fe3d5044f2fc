/** Signs of life that may be missed in a row before a process counts as hung. */
const mayMiss = 10;
/** The same before its first sign: it has to be loaded, on a machine that may be busy. */
const mayMissAtStart = 60;

/**
 * Watches the signs of life of a process. Counts its own beats rather than time: while this process is
 * held up itself, no beat of its own passes either.
 */
export class Pulse {
  readonly #timer;
  #missed = 0;
  #allowed = mayMissAtStart;

  /** Calls `onHang` once, when nothing was heard for too many beats of `everyMs` milliseconds. */
  constructor(everyMs: number, onHang: () => void) {
    this.#timer = setInterval(() => {
      if (++this.#missed < this.#allowed) return;
      this.stop();
      onHang();
    }, everyMs);
  }

  /** A sign of life. */
  heard(): void {
    this.#missed = 0;
    this.#allowed = mayMiss;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
