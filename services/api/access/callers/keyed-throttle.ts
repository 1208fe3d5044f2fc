import type { Counters } from "#cache/port.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError } from "#kit/errors.ts";

/** How attempts go on after too many of them failed. */
export interface ThrottleRate {
  /** Milliseconds that each waits, one after the other. */
  everyMs: number;
  /** Attempts that may wait. */
  maxWaiting: number;
}

interface KeyQueue {
  /** Who waits: each client once. */
  waiting: Set<string>;
  last: Promise<void>;
}

/** 429: further attempts are refused for now. */
export function tooManyAttempts(retryAfterMs: number): AppError {
  return new AppError("Too many failed attempts to sign in; wait some minutes", {
    status: 429,
    code: "SYS002",
    retryable: true,
    retryAfter: Math.ceil(retryAfterMs / 1_000),
  });
}

/**
 * Slows attempts down instead of refusing them: those of one key are made one after the other, on all processes together
 * where they share a store.
 */
export class KeyedThrottle {
  readonly #queues = new Map<string, KeyQueue>();

  constructor(
    private readonly clock: Pick<Clock, "sleep">,
    private readonly counters: () => Pick<Counters, "nextTurn">,
  ) {}

  /** Waits for a turn of `key`. Throws 429 when `client` waits for one already, or too many do, and 503. */
  async turn(key: string, client: string, { everyMs, maxWaiting }: ThrottleRate): Promise<void> {
    const queue = this.#queues.get(key) ?? { waiting: new Set(), last: Promise.resolve() };
    const { waiting } = queue;
    if (waiting.has(client) || waiting.size >= maxWaiting) {
      throw tooManyAttempts(everyMs * (waiting.size + 1));
    }
    this.#queues.set(key, queue);
    waiting.add(client);
    const turn = queue.last.then(() => this.#wait(key, everyMs));
    queue.last = turn.catch(() => {});
    try {
      await turn;
    } finally {
      waiting.delete(client);
      if (waiting.size === 0) this.#queues.delete(key);
    }
  }

  async #wait(key: string, everyMs: number): Promise<void> {
    const shared = await this.counters().nextTurn?.(key, everyMs);
    await this.clock.sleep(shared ?? everyMs);
  }
}
