import type { ConnectionProblem } from "#contract/connections/connection.ts";
import { HostRefused } from "./hosts.ts";

/** A failure with words for people: what failed and how to fix it, without secrets and addresses. */
export class SourceError extends Error {
  constructor(
    readonly object: string,
    readonly reason: string,
    readonly remedy: string | null = null,
    cause?: unknown,
  ) {
    super(`${object}: ${reason}`, { cause });
  }

  get problem(): ConnectionProblem {
    return { object: this.object, reason: this.reason, remedy: this.remedy };
  }
}

/** Why something failed and how to fix it, in fixed words. */
export type FailureWords = [reason: string, remedy: string | null];

/**
 * A failure with fixed words, those of `wordsOf` where it is of a driver or a library: what these and servers say may hold
 * values, addresses and secrets.
 */
export function sourceErrorOf(
  object: string,
  error: unknown,
  wordsOf: (error: unknown) => FailureWords,
): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof HostRefused) return new SourceError(object, error.message, error.remedy);
  const [reason, remedy] = wordsOf(error);
  return new SourceError(object, reason, remedy, error);
}
