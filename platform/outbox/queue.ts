import type { ItemResult, Outcome, Unsent } from "./outcome.ts";

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

/** What a claim found. */
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

/** What an outbox measures. */
export interface OutboxMetrics {
  recorded(ended: Pick<EndedAttempt<unknown>, "outcome" | "result" | "durationMs">): void;
  queue(size: QueueSize): void;
  paused?(paused: boolean): void;
}
