import type { Clock } from "#kit/clock.ts";
import { withTimeout } from "#kit/retry.ts";
import { bounded } from "#kit/text.ts";
import { maxCause } from "#platform/ops/workers/watch.ts";
import { failureText } from "#platform/secrets.ts";

/** What a look at an engine found. Without an answer nothing is known: that is not the same as nothing being there. */
export type Seen<T> =
  | { known: true; value: T; ms: number }
  | {
    known: false;
    /** Whether it refused or failed, rather than saying nothing. */
    failed: boolean;
    /** Without secrets. */
    cause: string;
  };

export interface GlanceOptions<T> {
  ask: () => Promise<T>;
  /** Milliseconds after which no answer counts as none. */
  timeoutMs: number;
  clock: Clock;
}

/** Milliseconds that what was seen is told again. */
const keptMs = 1_000;

/** Milliseconds after which a question that was never answered is asked again. */
const givenUpMs = 30_000;

/** A question that is not answered yet. */
interface Question<T> {
  at: number;
  answer: Promise<T>;
  /** Whether its answer is old news. */
  forgotten: boolean;
}

class Silence extends Error {}

/** What clients of engines say when they gave up waiting, as opposed to having been refused. */
const gaveUpWaiting = /timed ?out|timeout|not answered|in time\b/i;

function isSilence(error: unknown): boolean {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Silence || root instanceof Error && gaveUpWaiting.test(root.message);
}

/**
 * Looks at something that may hang, for many who want to know at once: they share one look, what it found is kept for a
 * second, and a question that is still unanswered is not asked again beside itself.
 */
export class Glance<T> {
  #asked: Question<T> | undefined;
  #looking: Promise<Seen<T>> | undefined;
  #last: { at: number; seen: Seen<T> } | undefined;

  constructor(private readonly options: GlanceOptions<T>) {}

  /** Never rejects. */
  look(): Promise<Seen<T>> {
    const age = this.#last ? this.options.clock.now() - this.#last.at : keptMs;
    if (this.#last && age >= 0 && age < keptMs) return Promise.resolve(this.#last.seen);
    if (this.#looking) return this.#looking;
    const looking = this.#looking = this.#see().finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    return looking;
  }

  /** What was seen, or is being looked at, is old news: the next look asks anew. */
  forget(): void {
    if (this.#asked) this.#asked.forgotten = true;
    this.#asked = this.#looking = this.#last = undefined;
  }

  async #see(): Promise<Seen<T>> {
    const { clock, timeoutMs } = this.options;
    const started = performance.now();
    const asked = this.#question();
    const seen = await withTimeout(asked.answer, timeoutMs, () => new Silence()).then(
      (value): Seen<T> => ({ known: true, value, ms: performance.now() - started }),
      (error) => unseen(error, timeoutMs),
    );
    if (!asked.forgotten) this.#last = { at: clock.now(), seen };
    return seen;
  }

  #question(): Question<T> {
    const now = this.options.clock.now();
    if (this.#asked && now - this.#asked.at < givenUpMs) return this.#asked;
    const asked = this.#asked = { at: now, answer: attempt(this.options.ask), forgotten: false };
    const settled = () => {
      if (this.#asked === asked) this.#asked = undefined;
    };
    asked.answer.then(settled, settled);
    return asked;
  }
}

/** Also what is thrown at once is a rejection. */
async function attempt<T>(ask: () => Promise<T>): Promise<T> {
  return await ask();
}

function unseen(
  error: unknown,
  timeoutMs: number,
): { known: false; failed: boolean; cause: string } {
  if (error instanceof Silence) {
    return { known: false, failed: false, cause: `no answer within ${timeoutMs / 1_000} s` };
  }
  return { known: false, failed: !isSilence(error), cause: causeOf(error) };
}

/** Why something failed, for operators: on one line, without secrets. */
export function causeOf(error: unknown): string {
  const lines = failureText(error).split("\n").map((line) => line.trim());
  return bounded(lines.filter((line) => line !== "").join(": "), maxCause);
}
