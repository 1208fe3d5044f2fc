import { backoff } from "#kit/retry.ts";

/** An item that is ours to attempt. */
export interface ClaimedItem {
  id: string | number;
  /** Number of this attempt, from 1. */
  number: number;
  /** W3C trace context of what queued it. */
  traceparent: string | null;
  /** Milliseconds of its budget spent before, and since it was queued; 0 where the policy does not count them. */
  spentMs: number;
  ageMs: number;
  /** Time of `performance.now()` until which the attempt may begin; later another process may have the item. */
  sendBefore: number;
}

export interface Claim<I> {
  items: I[];
  /** Milliseconds after which to claim again; undefined: at the next wake-up. */
  waitMs: number | undefined;
  /** Why the receiver's last attempts failed; null once it has answered again. */
  problem: string | null;
  /** Nothing is sent now, because the receiver failed. */
  paused: boolean;
}

/** An attempt that ended here. */
export interface EndedAttempt<I> {
  item: I;
  outcome: Outcome | Unsent;
  result: ItemResult;
  durationMs: number;
  /** Time of `performance.now()`. */
  endedAt: number;
}

/** How many items wait, and the age of the oldest in seconds; how many failed, where that is measured. */
export interface QueueSize {
  pending: number;
  oldest: number;
  failed?: number;
}

/**
 * The table of an outbox: an item goes to one process at a time, over all of them, and comes back with an outcome.
 * Which items may be attempted together, in which order and how often is decided here, by the statement that claims.
 */
export interface OutboxQueue<I> {
  /** Called before the first claim. */
  open?(): Promise<void>;
  /** Claims at most `max` items until their leases expire. One statement that writes nothing while nothing is due. */
  claim(max: number): Promise<Claim<I>>;
  /**
   * Records all of the attempts, or rejects. The outcome of an attempt whose claim expired changes the item only if it
   * was delivered, which stays true.
   */
  settle(ended: EndedAttempt<I>[]): Promise<void>;
  size(): Promise<QueueSize>;
}

export interface OutboxMetrics {
  recorded(ended: Pick<EndedAttempt<unknown>, "outcome" | "result" | "durationMs">): void;
  queue(size: QueueSize): void;
  paused?(paused: boolean): void;
}

/** How an attempt ended. `cause` is for people and never contains a secret, a URL or a body. */
export type Outcome =
  /** `receipt`: what the receiver calls it. */
  | { kind: "delivered"; status?: number; receipt?: string }
  | RetryOutcome
  /** Will never be taken. */
  | { kind: "refused"; cause: string; status?: number; uncertain?: boolean };

/**
 * Worth another attempt. `pausesChannel`: it is not about this item (429, 5xx, no connection, timeout), so the whole
 * channel waits.
 */
interface RetryOutcome {
  kind: "retry";
  cause: string;
  status?: number;
  /** Milliseconds, as requested by the receiver. */
  afterMs?: number;
  pausesChannel: boolean;
  /** False: the policy does not count the attempt. */
  counts?: boolean;
  /** False: the receiver certainly does not have it. */
  uncertain?: boolean;
}

/** Given back before anything was sent, for example because it was too late for its claim. */
export interface Unsent {
  kind: "unsent";
  cause: string;
}

/** What has been spent on an item when an attempt ended, that one included. */
interface Spent {
  /** Number of the attempt, from 1. */
  number: number;
  /** Milliseconds of attempts and of its own waits, with the wait that would follow. */
  spentMs: number;
  /** Milliseconds since it was queued. */
  ageMs: number;
}

/** When an item is tried again, and when it fails. */
export interface RetryPolicy {
  /** Milliseconds between this attempt and the next; a receiver may request more. */
  waitMs(number: number): number;
  /** Why the item fails instead of being tried again; null: it does not. */
  giveUp(spent: Spent, outcome: RetryOutcome): string | null;
}

/** An attempt that ended, as far as the policy evaluates it. */
export interface Attempt {
  number: number;
  /** Milliseconds spent before this attempt. */
  spentMs: number;
  ageMs: number;
  durationMs: number;
  outcome: Outcome | Unsent;
}

/** What becomes of the item of an attempt. */
interface ItemResult {
  state: "pending" | "delivered" | "failed";
  reason: string | null;
  /** Milliseconds until it is due again. */
  waitMs: number;
  /** Milliseconds to be added to what was spent. */
  spentMs: number;
  /** Whether it was one of the attempts that the policy counts. */
  counts: boolean;
}

/**
 * An item spends its budget on its own attempts and on its own waits between them; how long a paused channel makes it
 * wait in addition costs it nothing.
 */
export function resultOf(attempt: Attempt, policy: RetryPolicy): ItemResult {
  const { outcome, durationMs, number, ageMs } = attempt;
  const ended = { waitMs: 0, spentMs: durationMs, counts: true };
  switch (outcome.kind) {
    case "delivered":
      return { state: "delivered", reason: null, ...ended };
    case "refused":
      return { state: "failed", reason: outcome.cause, ...ended };
    case "unsent":
      return { state: "pending", reason: outcome.cause, waitMs: 0, spentMs: 0, counts: false };
    case "retry": {
      const ownMs = policy.waitMs(number);
      const waitMs = Math.max(ownMs, outcome.afterMs ?? 0);
      const spentMs = durationMs + (outcome.pausesChannel ? ownMs : waitMs);
      const reason = policy.giveUp({ number, spentMs: attempt.spentMs + spentMs, ageMs }, outcome);
      if (reason !== null) return { state: "failed", reason, ...ended };
      const counts = outcome.counts ?? true;
      return { state: "pending", reason: outcome.cause, waitMs, spentMs, counts };
    }
  }
}

/** Limits of a policy that backs off exponentially for a time, in milliseconds. */
export interface BudgetRules {
  /** Wait before the second attempt, and the longest between two. */
  initialMs: number;
  maxMs: number;
  /** Attempts and waits after which an item has failed. */
  budgetMs: number;
}

/** Exponential backoff with jitter, until the item has spent its time. */
export function withinBudget(rules: BudgetRules, random = Math.random): RetryPolicy {
  const limits = { initial: rules.initialMs, max: rules.maxMs };
  return {
    waitMs: (number) => backoff(number, limits, random),
    giveUp: ({ number, spentMs }, { cause }) =>
      spentMs > rules.budgetMs ? `failed after ${number} attempts: ${cause}` : null,
  };
}
