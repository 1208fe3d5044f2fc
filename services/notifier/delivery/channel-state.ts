import { backoff } from "#kit/retry.ts";
import type { Outcome, Unsent } from "#platform/outbox/outcome.ts";

/** State of a channel, for all processes that send over it. */
export interface ChannelState {
  /** Pauses since something was delivered. */
  failures: number;
  /** When that number changed. */
  changedAt: Date;
  pausedUntil: Date | null;
  cause: string | null;
}

/** An attempt, as far as it says something about its channel. */
export interface ChannelAttempt {
  /** When it was claimed, by the clock of the metadata store. */
  claimedAt: Date;
  outcome: Outcome | Unsent;
}

/** Milliseconds of the first pause, and of the longest. */
export interface PauseRules {
  initialMs: number;
  maxMs: number;
}

/**
 * What attempts, in the order of their ends, say of the channel. Those that began before its state
 * changed say nothing new: a hundred that fail together are one failure.
 */
export function stateAfter(
  state: ChannelState,
  attempts: ChannelAttempt[],
  rules: PauseRules,
  now: Date,
  random = Math.random,
): ChannelState {
  return attempts.reduce((before, attempt) => {
    const { outcome, claimedAt } = attempt;
    const isNewer = claimedAt > before.changedAt;
    if (pausesChannel(outcome)) {
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

/** Whether the attempt failed because of its channel. */
export function pausesChannel(outcome: Outcome | Unsent): outcome is Outcome & { kind: "retry" } {
  return outcome.kind === "retry" && outcome.pausesChannel;
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
