import type { Context } from "#platform/context.ts";
import { tracesSpans } from "#contract/topics.ts";
import { spansHeaders, spansVersion, tickType } from "#contract/traces.ts";
import type { NewRecord } from "#eventlog/port.ts";
import { messageOf } from "#kit/errors.ts";
import { Loop } from "#kit/loop.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { statement } from "#metadata/postgres/statement.ts";

interface TickerOptions extends Pick<Context, "db" | "events" | "clock" | "log"> {
  windowMs: number;
  publishMs: number;
  /** Called in each round with the end of each partition, for what else is to be done regularly. */
  onRound: (ends: Map<number, number>) => Promise<void>;
}

/**
 * Advances the time of partitions to which nothing is written: the spans that wait there expire by the
 * times of records, so a record without facts is appended. Several processes may do so without harm. A
 * partition that has records to be counted needs none.
 */
export class Ticker implements Worker {
  readonly name = "service-graph ticker";
  readonly #loop: Loop;
  #failing: string | undefined;

  constructor(private readonly options: TickerOptions) {
    const { clock, windowMs } = options;
    this.#loop = new Loop({
      clock,
      round: async () => {
        await this.round();
        this.#failing = undefined;
        return windowMs / 2;
      },
      retry: { initial: windowMs / 2, max: windowMs / 2 },
      failed: (error) => this.#failed(error),
    });
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    return this.#loop.start(onCrash);
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
  }

  health(): Health {
    if (!this.#loop.started) return { ready: false, state: "stopped" };
    if (this.#failing === undefined) return { ready: true, state: "running" };
    return { ready: false, state: "waiting", detail: this.#failing };
  }

  #failed(error: unknown): void {
    const cause = messageOf(error);
    const level = cause === this.#failing ? "debug" : "warn";
    this.#failing = cause;
    this.options.log[level]("no time passes in quiet partitions of spans", { error });
  }

  /** One pass over all partitions; returns how many needed a record. */
  async round(): Promise<number> {
    const { db, events, windowMs, publishMs, onRound } = this.options;
    const ends = new Map((await events.bounds(tracesSpans)).map((b) => [b.partition, b.end]));
    await onRound(ends);
    const quiet = await db.query(quietPartitions, [Math.round(windowMs / 2)]);
    const ticks = quiet
      .filter(({ partition, next_offset }) => ends.get(partition) === next_offset)
      .map(({ partition }) => tick(partition));
    if (ticks.length > 0) await events.publish(tracesSpans, ticks, { timeoutMs: publishMs });
    return ticks.length;
  }
}

function tick(partition: number): NewRecord {
  return {
    key: null,
    partition,
    value: new Uint8Array(),
    headers: { [spansHeaders.type]: tickType, [spansHeaders.version]: spansVersion },
  };
}

/** How far a partition is counted. */
interface PartitionOffset {
  partition: number;
  next_offset: number;
}

/** Partitions in which spans wait and nothing was counted for $1 milliseconds. */
const quietPartitions = statement<PartitionOffset>("span-partitions-quiet")`
  SELECT partition, next_offset FROM span_checkpoint
   WHERE waiting > 0 AND changed_at < now() - $1 * interval '1 millisecond'
   ORDER BY partition`;

/** Where each partition stands. */
export const offsets = statement<PartitionOffset>("span-partition-offsets")`
  SELECT partition, next_offset FROM span_checkpoint`;
