import { expect } from "vitest";
import type { Queryable } from "#metadata/postgres/database.ts";

/** A row of the delivery log with its attempts. */
export interface LoggedDelivery {
  [column: string]: unknown;
  id: string;
  channel: string;
  recipient: string;
  state: string;
  reason: string | null;
  attempts: number;
  /** All that its message says. */
  message: string;
  attemptOutcomes: { outcome: string; status: number | null; cause: string | null }[];
}

/** The whole delivery log. */
export function deliveryLog(db: Queryable): Promise<LoggedDelivery[]> {
  return db.query<LoggedDelivery>(
    `SELECT d.id, d.channel, d.recipient, d.state, d.reason, d.attempts, n.message::text AS message,
            coalesce((SELECT json_agg(json_build_object('outcome', a.outcome, 'status', a.status,
                              'cause', a.cause) ORDER BY a.number)
                        FROM delivery_attempt a WHERE a.delivery_id = d.id), '[]') AS "attemptOutcomes"
       FROM delivery d JOIN notification n USING (event_id, kind)
      ORDER BY d.event_id, d.channel, d.recipient`,
  );
}

/** A message that a receiver counted. */
export interface Arrival {
  deliveryId: string;
  /** Whether the receiver said, or began to say, that it took it. */
  taken: boolean;
}

/** Attempts after which nobody knows whether the message was taken: killed, or left without an answer. */
export function isUnsure(
  { outcome, status, cause }: LoggedDelivery["attemptOutcomes"][number],
): boolean {
  const unanswered = outcome === "retry" && status === null &&
    cause !== "the connection is refused";
  return unanswered || outcome === "interrupted" || outcome === "started";
}

/**
 * Expects that the log explains what the receivers counted: each arrival is an attempt of a delivery
 * that is known, what is called delivered was taken, and whatever came again did so after an attempt
 * that nobody saw the end of. Returns how many were taken more than once.
 */
export function expectExplained(log: LoggedDelivery[], arrivals: Arrival[]): number {
  const known = new Map(log.map((delivery) => [delivery.id, delivery]));
  expect(arrivals.filter(({ deliveryId }) => !known.has(deliveryId))).toEqual([]);
  const arrived = Map.groupBy(arrivals, ({ deliveryId }) => deliveryId);
  const wrong: unknown[] = [];
  let repeats = 0;
  for (const delivery of log) {
    const mine = arrived.get(delivery.id) ?? [];
    const taken = mine.filter((one) => one.taken).length;
    const claimed = delivery.attemptOutcomes.filter(({ outcome }) =>
      outcome === "delivered"
    ).length;
    const unsure = delivery.attemptOutcomes.filter(isUnsure).length;
    const holds = delivery.attemptOutcomes.length === delivery.attempts &&
      mine.length <= delivery.attempts && claimed <= taken && taken <= claimed + unsure &&
      (delivery.state === "delivered") === (claimed > 0);
    if (!holds) wrong.push({ ...delivery, message: undefined, arrived: mine.length, taken });
    repeats += Math.max(0, taken - 1);
  }
  expect(wrong).toEqual([]);
  return repeats;
}

/** How many attempts over a channel are such. */
export function countAttempts(
  log: LoggedDelivery[],
  channel: string,
  isSuch: (attempt: LoggedDelivery["attemptOutcomes"][number]) => boolean,
): number {
  return log.filter((delivery) => delivery.channel === channel)
    .flatMap(({ attemptOutcomes }) => attemptOutcomes).filter(isSuch).length;
}

/**
 * Expects that no two of these times, in milliseconds, are nearer than `intervalMs`, so that the rate
 * holds over every window. Times are whole milliseconds at both clocks: two are forgiven. So is one
 * gap for each attempt that was given up without an answer: a receiver that stalls reads it late.
 */
export function expectRate(times: number[], intervalMs: number, timedOut = 0): void {
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  const short = gaps.filter((gap) => gap < intervalMs - 2).sort((a, b) => a - b);
  expect(short.slice(timedOut)).toEqual([]);
}
