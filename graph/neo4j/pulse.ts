import { unavailable } from "#kit/errors.ts";

/** Milliseconds after which somebody who still waits has the pulse felt, and again after each beat. */
const quiet = 500;

/**
 * A beat may take so many turns of the event loop, of so many milliseconds each. Not one span of
 * time: while this process itself is busy with large answers, it is not the engine that is late.
 */
const beat = { turns: 20, turnMs: 50 };

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
    return this.#beat ??= this.#heard()
      .catch((error) => {
        throw hangs(error);
      })
      .finally(() => this.#beat = undefined);
  }

  async #heard(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, fail) => {
      const turn = (left: number) => {
        if (left === 0) fail(new Error("no pulse"));
        else timer = setTimeout(() => turn(left - 1), beat.turnMs);
      };
      turn(beat.turns);
    });
    try {
      await Promise.race([this.ask(), silence]);
    } finally {
      clearTimeout(timer);
    }
  }
}
