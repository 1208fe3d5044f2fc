import { unavailable } from "#kit/errors.ts";

/** Milliseconds before a late query causes a probe of the engine, and between two probes. */
const probeEveryMs = 500;

/**
 * Time limit of a probe: `timers` timers in a row of `timerMs` milliseconds. One long timer would also expire
 * while this process itself is busy with large answers. An engine that has just started on a busy machine takes
 * more than a second to answer a first connection.
 */
const probeTimeout = { timers: 60, timerMs: 50 };

/**
 * Distinguishes a slow engine from one that hangs: while an answer is late, the engine is greeted as a
 * probe, shared by all waiting queries. So a long walk may take its time, and a dead engine is detected soon.
 */
export class LivenessCheck {
  #probing: Promise<void> | undefined;

  /** `ask` sends the probe over a separate connection, with the cheapest possible request. */
  constructor(private readonly ask: () => Promise<unknown>) {}

  /** The outcome of `work`; rejects with a 503 as soon as a probe gets no answer. */
  async watch<T>(work: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const dead = new Promise<never>((_, fail) => {
      const wait = () => {
        if (!ended) timer = setTimeout(() => void this.#probe().then(wait, fail), probeEveryMs);
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

  #probe(): Promise<void> {
    const hangs = (cause?: unknown) => unavailable("The lineage graph does not answer", 5, cause);
    return this.#probing ??= this.#answered()
      .catch((error) => {
        throw hangs(error);
      })
      .finally(() => this.#probing = undefined);
  }

  async #answered(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, fail) => {
      const next = (left: number) => {
        if (left === 0) fail(new Error("the probe was not answered"));
        else timer = setTimeout(() => next(left - 1), probeTimeout.timerMs);
      };
      next(probeTimeout.timers);
    });
    try {
      await Promise.race([this.ask(), timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}
