import type { Clock } from "#kit/clock.ts";
import { withTimeout } from "#kit/retry.ts";
import { bounded } from "#kit/text.ts";
import { maxCause } from "#platform/ops/workers.ts";
import { failureText } from "#platform/secrets.ts";

/** What a look at an engine found. Without an answer nothing is known: that is not the same as nothing being there. */
export type ProbeResult<T> =
  | { known: true; value: T; ms: number }
  | {
    known: false;
    /** Whether it refused or failed, rather than saying nothing. */
    failed: boolean;
    /** Without secrets. */
    cause: string;
  };

interface ProbeOptions<T> {
  read: () => Promise<T>;
  /** Milliseconds after which no answer counts as none. */
  timeoutMs: number;
  clock: Clock;
}

/** Milliseconds that a result is cached. */
const ttlMs = 1_000;

/** Milliseconds after which a request without a response is repeated. */
const forgetMs = 30_000;

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
 * Looks at something that may hang, for many who want to know at once: they share one look, what it found is retained for a
 * second, and a request that is still unanswered is not repeated concurrently.
 */
export class CachedProbe<T> {
  #inFlight: Question<T> | undefined;
  #running: Promise<ProbeResult<T>> | undefined;
  #last: { at: number; seen: ProbeResult<T> } | undefined;

  constructor(private readonly options: ProbeOptions<T>) {}

  /** Never rejects. */
  probe(): Promise<ProbeResult<T>> {
    const age = this.#last ? this.options.clock.now() - this.#last.at : ttlMs;
    if (this.#last && age >= 0 && age < ttlMs) return Promise.resolve(this.#last.seen);
    if (this.#running) return this.#running;
    const running = this.#running = this.#see().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return running;
  }

  /** The cached or pending result is outdated: the next probe runs again. */
  forget(): void {
    if (this.#inFlight) this.#inFlight.forgotten = true;
    this.#inFlight = this.#running = this.#last = undefined;
  }

  async #see(): Promise<ProbeResult<T>> {
    const { clock, timeoutMs } = this.options;
    const started = performance.now();
    const inFlight = this.#question();
    const seen = await withTimeout(inFlight.answer, timeoutMs, () => new Silence()).then(
      (value): ProbeResult<T> => ({ known: true, value, ms: performance.now() - started }),
      (error) => unseen(error, timeoutMs),
    );
    if (!inFlight.forgotten) this.#last = { at: clock.now(), seen };
    return seen;
  }

  #question(): Question<T> {
    const now = this.options.clock.now();
    if (this.#inFlight && now - this.#inFlight.at < forgetMs) return this.#inFlight;
    const inFlight = this.#inFlight = {
      at: now,
      answer: attempt(this.options.read),
      forgotten: false,
    };
    const settled = () => {
      if (this.#inFlight === inFlight) this.#inFlight = undefined;
    };
    inFlight.answer.then(settled, settled);
    return inFlight;
  }
}

/** Also what is thrown at once is a rejection. */
async function attempt<T>(read: () => Promise<T>): Promise<T> {
  return await read();
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
