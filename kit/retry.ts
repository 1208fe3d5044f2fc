import { type Clock, systemClock } from "#kit/clock.ts";

export interface BackoffOptions {
  /** Milliseconds before the first retry. */
  initial: number;
  /** Upper bound of one wait, milliseconds. */
  max: number;
}

/**
 * Exponential backoff with equal jitter: half of the wait is fixed, the other half random (AWS Architecture
 * Blog, "Exponential Backoff and Jitter"). `attempt` counts from 1. Milliseconds.
 */
export function backoff(attempt: number, options: BackoffOptions, random = Math.random): number {
  const ceiling = Math.min(options.max, options.initial * 2 ** (attempt - 1));
  return Math.round(ceiling / 2 + random() * ceiling / 2);
}

export interface RetryOptions extends BackoffOptions {
  /** Total number of attempts, including the first. */
  attempts: number;
  /** Returning false ends the retries, and the error is rethrown. */
  retryable: (error: unknown) => boolean;
  onRetry?: (error: unknown, attempt: number, delay: number) => void;
  signal?: AbortSignal;
  clock?: Clock;
}

/** Runs `work` until it succeeds or is aborted, may not be retried, or attempts run out. */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const clock = options.clock ?? systemClock;
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      const last = attempt >= options.attempts || options.signal?.aborted;
      if (last || !options.retryable(error)) throw error;
      const delay = backoff(attempt, options);
      options.onRetry?.(error, attempt, delay);
      await clock.sleep(delay, options.signal);
    }
  }
}

/** Rejects with `onTimeout()` when `work` takes longer than `ms` milliseconds. */
export async function withTimeout<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
