import type { ConnectionProblem } from "#contract/connections/connection.ts";

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
