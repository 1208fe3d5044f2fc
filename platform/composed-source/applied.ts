import { composedBatches, ingestionGroup } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { claimSeconds, type QueueStatements } from "./queue.queries.ts";

/** Milliseconds between two looks. */
const progressPollMs = 2_000;

/**
 * Milliseconds after which the last batch of what leaves is in the log, if it ever was put there: who claimed the row
 * may have died, or the log may have refused it, and then it never comes.
 */
export const inLogMs = (claimSeconds + 10) * 1_000;

/** The end of the log at a moment: of each partition that was not applied to its end, that end. */
interface Mark {
  at: number;
  ends: Map<number, number>;
}

/**
 * The time up to which the batches of the log are applied. Reads the log only while a removal waits for so long that its
 * last batch may never have come there.
 */
export class AppliedBatches {
  #mark: Mark | null = null;
  #until: number | null = null;
  #polledAt = -Infinity;

  constructor(
    private readonly deps: {
      db: Database;
      events: Pick<EventLog, "lag">;
      clock: Clock;
      log: Logger;
      statements: Pick<QueueStatements<string>, "leavingForLong">;
    },
  ) {}

  /**
   * Milliseconds since the epoch by the clock of the database: every batch that the log held then is applied. null
   * while none such is known. A log that does not respond changes nothing.
   */
  async until(): Promise<number | null> {
    const { clock, log } = this.deps;
    if (clock.now() - this.#polledAt < progressPollMs) return this.#until;
    this.#polledAt = clock.now();
    try {
      await this.#poll();
    } catch (error) {
      log.debug("progress of applied batches is unknown", { error: messageOf(error) });
    }
    return this.#until;
  }

  async #poll(): Promise<void> {
    const { db, events, statements } = this.deps;
    const [time] = await db.query(statements.leavingForLong, [inLogMs / 1_000]);
    if (!time!.waits) return;
    const lags = await events.lag(ingestionGroup, composedBatches);
    const reached = (mark: Mark) =>
      lags.every(({ partition, committed, lag }) =>
        lag === 0 || committed >= (mark.ends.get(partition) ?? 0)
      );
    if (this.#mark && reached(this.#mark)) {
      this.#until = this.#mark.at;
      this.#mark = null;
    }
    const behind = lags.filter(({ lag }) => lag > 0);
    const ends = new Map(behind.map(({ partition, end }) => [partition, end]));
    if (ends.size === 0) this.#until = time!.now;
    else this.#mark ??= { at: time!.now, ends };
  }
}

/** Maximum number of published batches that wait to be applied before more are mapped. */
export const maxAhead = 2;

/** Milliseconds after which batches are no longer waited for: the consumer stands still, or is busy with others. */
export const maxWaitMs = 2_000;

const capacityPollMs = 20;

const appliedAmong = statement<{ batch: string }>("composed-batches-applied")`
  SELECT batch FROM applied_batch WHERE batch = ANY($1::text[])`;

/** Keeps what is posted near what is applied: a row that waits here is posted once, whatever is said of it meanwhile. */
export interface Backpressure {
  posted(batches: string[]): void;
  /** Resolves when more may be posted. */
  waitForCapacity(signal: AbortSignal): Promise<void>;
}

/** For a publisher without a consumer that applies batches. */
export const noBackpressure: Backpressure = {
  posted: () => undefined,
  waitForCapacity: () => Promise.resolve(),
};

export class AppliedBackpressure implements Backpressure {
  #ahead = new Set<string>();

  constructor(private readonly deps: { db: Database; clock: Clock }) {}

  posted(batches: string[]): void {
    for (const batch of batches) this.#ahead.add(batch);
  }

  async waitForCapacity(signal: AbortSignal): Promise<void> {
    const { db, clock } = this.deps;
    const end = clock.now() + maxWaitMs;
    while (this.#ahead.size > maxAhead && !signal.aborted) {
      for (const { batch } of await db.query(appliedAmong, [[...this.#ahead]])) {
        this.#ahead.delete(batch);
      }
      if (this.#ahead.size <= maxAhead) return;
      if (clock.now() >= end) this.#ahead.clear();
      else await clock.sleep(capacityPollMs, signal);
    }
  }
}
