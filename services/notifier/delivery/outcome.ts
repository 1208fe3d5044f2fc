import { backoff } from "#kit/retry.ts";
import type { Outcome } from "#services/notifier/channels/channel.ts";

export interface RetryRules {
  /** Milliseconds before the second attempt, and the most between two. */
  initialMs: number;
  maxMs: number;
  /** Milliseconds of attempts and waits after which a delivery has failed. */
  budgetMs: number;
}

/** One attempt that ended. */
export interface Attempt {
  deliveryId: string;
  number: number;
  claim: string;
  /** When it was claimed, by the clock of the metadata store. */
  claimedAt: Date;
  /** Milliseconds of the delivery's budget spent before. */
  spentMs: number;
  durationMs: number;
  outcome: Outcome | Unsent;
}

/** Given back before anything was sent: it came too late for its turn or its claim. */
export interface Unsent {
  kind: "unsent";
  cause: string;
}

/** What becomes of the delivery of an attempt. */
export interface DeliveryOutcome {
  state: "pending" | "delivered" | "failed";
  reason: string | null;
  /** Milliseconds until it is due again. */
  waitMs: number;
  /** Milliseconds to be added to what was spent. */
  spentMs: number;
}

/**
 * A delivery spends its budget on its own attempts and on its own waits between them; how long a
 * paused channel makes it wait on top costs it nothing.
 */
export function outcomeOf(
  attempt: Attempt,
  rules: RetryRules,
  random = Math.random,
): DeliveryOutcome {
  const { outcome, durationMs } = attempt;
  if (outcome.kind === "delivered") {
    return { state: "delivered", reason: null, waitMs: 0, spentMs: durationMs };
  }
  if (outcome.kind === "unsent") {
    return { state: "pending", reason: outcome.cause, waitMs: 0, spentMs: 0 };
  }
  if (outcome.kind === "refused") {
    return { state: "failed", reason: outcome.cause, waitMs: 0, spentMs: durationMs };
  }
  const limits = { initial: rules.initialMs, max: rules.maxMs };
  const wait = backoff(attempt.number, limits, random);
  const requestedMs = outcome.afterMs ?? 0;
  const spentMs = durationMs + (outcome.pausesChannel ? wait : Math.max(wait, requestedMs));
  if (attempt.spentMs + spentMs > rules.budgetMs) {
    const reason = `failed after ${attempt.number} attempts: ${outcome.cause}`;
    return { state: "failed", reason, waitMs: 0, spentMs: durationMs };
  }
  return { state: "pending", reason: outcome.cause, waitMs: Math.max(wait, requestedMs), spentMs };
}

/** How a channel stands, for all senders of it. */
export interface ChannelState {
  /** Pauses since something was delivered. */
  failures: number;
  /** When that number changed. */
  changedAt: Date;
  pausedUntil: Date | null;
  cause: string | null;
}

/**
 * What attempts, in the order of their ends, say of the channel. Those that began before its state
 * changed say nothing new: a hundred that fail together are one failure.
 */
export function stateAfter(
  state: ChannelState,
  attempts: Attempt[],
  rules: Pick<RetryRules, "initialMs" | "maxMs">,
  now: Date,
  random = Math.random,
): ChannelState {
  return attempts.reduce((before, attempt) => {
    const { outcome, claimedAt } = attempt;
    const isNewer = claimedAt > before.changedAt;
    if (outcome.kind === "retry" && outcome.pausesChannel) {
      const failures = before.failures + (isNewer ? 1 : 0);
      const limits = { initial: rules.initialMs, max: rules.maxMs };
      const wait = isNewer || outcome.afterMs
        ? outcome.afterMs ?? backoff(failures, limits, random)
        : 0;
      return paused(
        before,
        failures,
        new Date(now.getTime() + wait),
        outcome.cause,
        isNewer ? now : null,
      );
    }
    const answered = outcome.kind === "delivered" || outcome.kind === "refused";
    if (!answered || before.failures === 0 || !isNewer) return before;
    return { failures: 0, changedAt: now, pausedUntil: null, cause: null };
  }, state);
}

function paused(
  before: ChannelState,
  failures: number,
  until: Date,
  cause: string,
  changed: Date | null,
): ChannelState {
  const later = before.pausedUntil && before.pausedUntil > until ? before.pausedUntil : until;
  return { failures, changedAt: changed ?? before.changedAt, pausedUntil: later, cause };
}
