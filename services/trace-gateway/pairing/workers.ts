import { tracesSpans } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import type { BatchContext, LogRecord } from "#eventlog/port.ts";
import type { Clock } from "#kit/clock.ts";
import type { PermanentError } from "#kit/errors.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { PairingMetrics } from "./metrics.ts";
import { PartitionCounter, type PartitionOptions } from "./partition.ts";
import { offsets, Ticker } from "./ticker.ts";

/** Consumer group that counts spans into edges. */
const serviceGraphGroup = "service-graph";

const delivery = { maxRecords: 2_000, maxBytes: 8 * 1024 * 1024, concurrency: 4 };
/** Rows of edges of one commit, those aside that the last record of it adds. */
const maxRows = 5_000;

/** The workers that count the facts of spans into `service_edge`, when the receivers let them. */
export function pairingWorkers(context: Context, priority: ReceiverPriority): Worker[] {
  const { db, events, clock, config: { traces } } = context;
  const counters = new Counters(optionsOf(context));
  const consumer = events.consumer({
    group: serviceGraphGroup,
    topic: tracesSpans,
    ...delivery,
    async handler(records, batch) {
      await priority.receiversIdle(batch.signal);
      await counters.handle(records, batch);
    },
  });
  const ticker = new Ticker({
    db,
    events,
    clock,
    log: context.log,
    windowMs: traces.window,
    publishMs: traces["publish-timeout"],
    onRound: (ends) => counters.poll(ends),
  });
  return [consumer, ticker];
}

function optionsOf({ db, events, log, metrics, config: { traces } }: Context): PartitionOptions {
  const counted = new PairingMetrics(metrics);
  return {
    db,
    events,
    log: log.with({ service: "trace-gateway" }),
    metrics: counted,
    pairing: { windowMs: traces.window, maxWaiting: traces["max-waiting"] },
    maxRows,
    async refuse(record: LogRecord, why: PermanentError) {
      const { message, reason, details } = why;
      log.warn("invalid record in the log of spans", {
        partition: record.partition,
        offset: record.offset,
        reason,
        error: why,
      });
      const refused = { topic: tracesSpans, record, reason, message, details };
      await deadLetter({ events, log, metrics }, refused);
      counted.refused.inc({ reason });
    },
  };
}

/** One counter for each partition that this process was given. */
class Counters {
  readonly #byPartition = new Map<number, PartitionCounter>();

  constructor(private readonly options: PartitionOptions) {}

  handle(records: LogRecord[], batch: BatchContext): Promise<void> {
    const { partition } = records[0]!;
    let counter = this.#byPartition.get(partition);
    if (!counter) {
      counter = new PartitionCounter(partition, this.options);
      this.#byPartition.set(partition, counter);
    }
    return counter.handle(records, batch);
  }

  /** Reports the lag, and frees the state of partitions that others count now. */
  async poll(ends: Map<number, number>): Promise<void> {
    const { db, metrics } = this.options;
    const rows = await db.query(offsets);
    for (const { partition, next_offset } of rows) {
      const lag = Math.max(0, (ends.get(partition) ?? 0) - next_offset);
      metrics.lag.set({ partition: String(partition) }, lag);
      const at = this.#byPartition.get(partition)?.idleAt ?? null;
      if (at !== null && at < next_offset) this.#byPartition.delete(partition);
    }
  }
}

/** Milliseconds between two looks whether the receivers are idle. */
const probeMs = 20;
/** Milliseconds that counting is delayed at most, batch by batch; under load edges may lag behind by as much. */
const maxWaitMs = 2_000;

/**
 * Gives the receivers priority over counting: spans that are not accepted may be lost with their exporter,
 * accepted ones are safe in the log. So while requests are at work, counting waits a little, and then
 * takes a larger batch, which costs less a span.
 */
export class ReceiverPriority {
  /** `busy`: whether a receiver has a request at work. */
  constructor(private readonly busy: () => boolean, private readonly clock: Clock) {}

  /** Resolves when the receivers are idle, after `maxWaitMs`, or when `signal` aborts. */
  async receiversIdle(signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < maxWaitMs && this.busy() && !signal.aborted; waited += probeMs) {
      await this.clock.sleep(probeMs, signal);
    }
  }
}
