import { unavailable } from "#kit/errors.ts";
import { withTimeout } from "#kit/retry.ts";

/** Milliseconds after which somebody who still waits has the pulse felt, and again after each beat. */
const quiet = 500;

/** Milliseconds that a beat may take. */
const beatMs = 1_000;

/**
 * Tells an engine that is slow from one that hangs: while an answer is late, a trivial question is
 * asked beside it, one for all who wait. So a long walk has its time, and a dead engine is found at
 * once.
 */
export class Pulse {
  #beat: Promise<void> | undefined;

  /** `ask` puts the trivial question, over a connection of its own. */
  constructor(private readonly ask: () => Promise<unknown>) {}

  /** The outcome of `work`; a 503 as soon as the engine shows no pulse. */
  async watch<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const dead = new Promise<never>((_, fail) => {
      const wait = () => {
        if (!ended) timer = setTimeout(() => void this.#feel().then(wait, fail), quiet);
      };
      wait();
    });
    try {
      return await Promise.race([work, dead]);
    } finally {
      ended = true;
      clearTimeout(timer);
    }
  }

  #feel(): Promise<void> {
    const hangs = (cause?: unknown) => unavailable("The lineage graph does not answer", 5, cause);
    return this.#beat ??= withTimeout(this.ask(), beatMs, hangs)
      .then(() => {}, (error) => {
        throw hangs(error);
      })
      .finally(() => this.#beat = undefined);
  }
}
