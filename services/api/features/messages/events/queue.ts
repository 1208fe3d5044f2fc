import type { Database } from "#metadata/postgres/database.ts";
import { retryingStatement } from "#metadata/postgres/retrying.ts";
import type {
  Claim,
  ClaimedItem,
  EndedAttempt,
  OutboxQueue,
  QueueSize,
} from "#platform/outbox/queue.ts";
import { claimEvents, countEvents, type EventRow, recordEvents } from "./queue.queries.ts";

/** An event that is ours to take in. */
export type ClaimedEvent = ClaimedItem & EventRow;

/** Events of the provider. A claimed event is due again when its lease ends; taking it in removes it. */
export class EventQueue implements OutboxQueue<ClaimedEvent> {
  constructor(private readonly db: Database, private readonly leaseMs: number) {}

  async claim(max: number): Promise<Claim<ClaimedEvent>> {
    const rows = await retryingStatement(this.db, claimEvents, [max, this.leaseMs]);
    const items = rows.map((row): ClaimedEvent => ({
      ...row,
      number: row.attempts + 1,
      spentMs: 0,
      ageMs: 0,
      sendBefore: Infinity,
    }));
    return { items, waitMs: undefined, problem: null, paused: false };
  }

  async settle(ended: EndedAttempt<ClaimedEvent>[]): Promise<void> {
    const left = ended.filter(({ result }) => result.state !== "delivered");
    if (left.length === 0) return;
    const outcomes = left.map(({ item, result: { state, waitMs, counts, reason } }) => ({
      id: item.id,
      state: state === "pending" ? "PENDING" : "PROCESSING_FAILED",
      wait_ms: waitMs,
      cause: reason,
      counted: counts ? 1 : 0,
    }));
    await retryingStatement(this.db, recordEvents, [JSON.stringify(outcomes)]);
  }

  size(): Promise<QueueSize> {
    return countEvents(this.db);
  }
}
