import { ProviderFailure } from "#services/api/features/messages/provider/failure.ts";

/** The outcome of an attempt for its message. Causes are fixed texts. */
export type SendOutcome =
  | { kind: "sent"; providerId: string }
  /** `uncertain`: it may have come to the provider all the same. */
  | { kind: "failed"; cause: string; uncertain: boolean }
  | {
    kind: "later";
    cause: string;
    waitMs: number;
    /** Whether the attempt is one of those that the budget allows. */
    counts: boolean;
    uncertain: boolean;
    /** Whether all messages to the channel wait as long. */
    pausesChannel: boolean;
  };

export interface RetryRules {
  /** Attempts in all: the first, and those that follow it. */
  attempts: number;
  /** Milliseconds between two of them. */
  waitMs: number;
  /** Milliseconds after which a message that the provider keeps postponing fails. */
  longestMs: number;
}

/** What to do after an attempt failed: its number, and how long the message has been in the queue. */
export function outcomeOf(
  failure: ProviderFailure,
  { number, ageMs }: { number: number; ageMs: number },
  rules: RetryRules,
): SendOutcome {
  const { kind, message: cause, given: { afterMs = 0 } } = failure;
  const uncertain = kind === "unanswered";
  if (kind === "permanent") return { kind: "failed", cause, uncertain };
  if (kind === "limited") {
    if (ageMs > rules.longestMs) return { kind: "failed", cause, uncertain };
    const waitMs = Math.max(afterMs, rules.waitMs);
    return { kind: "later", cause, waitMs, counts: false, uncertain, pausesChannel: true };
  }
  if (number >= rules.attempts) return { kind: "failed", cause, uncertain };
  const waitMs = Math.max(afterMs, rules.waitMs);
  return { kind: "later", cause, waitMs, counts: true, uncertain, pausesChannel: false };
}
