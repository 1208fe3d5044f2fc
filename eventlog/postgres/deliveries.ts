import { deliveryReports } from "#eventlog/in-flight.ts";
import type { ConsumeOptions } from "#eventlog/port.ts";
import { PartitionLostError } from "#eventlog/records.ts";
import type { PostgresLogOptions } from "#eventlog/postgres/options.ts";
import type { OwnedPartition } from "#eventlog/postgres/partition.ts";

/**
 * Runs the deliveries of one consumer: at most `concurrency` at once, one per partition, partitions in turn.
 * A partition whose handler threw waits with backoff and does not count towards `concurrency`.
 */
export class Deliveries {
  readonly #ready = new Set<OwnedPartition>();
  /** By partition, so that a delivery of a lost session ends before the next session begins one. */
  readonly #running = new Map<number, Promise<void>>();
  readonly #waiting = new Set<OwnedPartition>();
  readonly #reports;
  #stopped = false;

  constructor(
    private readonly options: PostgresLogOptions,
    private readonly consume: ConsumeOptions,
    private readonly release: (owned: OwnedPartition) => Promise<void>,
  ) {
    const { group, topic } = consume;
    this.#reports = deliveryReports(options, { group, topic });
  }

  /** To be called when there may be records; a partition in backoff keeps waiting. */
  wake(owned: OwnedPartition): void {
    if (this.#stopped || this.#waiting.has(owned)) return;
    this.#ready.add(owned);
    this.#pump();
    if (!this.#running.has(owned.partition) || this.#anyWaits()) return;
    // What does not join is delivered next, and a failure is reported there.
    void owned.join().catch(() => {});
  }

  /** Whether a partition waits for its turn: then those at work shall come to an end. */
  #anyWaits(): boolean {
    return [...this.#ready].some(({ partition }) => !this.#running.has(partition));
  }

  /** Releases the partition now, or when its running delivery has ended. */
  settle(owned: OwnedPartition): void {
    this.#ready.delete(owned);
    if (!this.#running.has(owned.partition)) this.#handOver(owned);
  }

  stop(): void {
    this.#stopped = true;
    this.#ready.clear();
  }

  /** Resolves when no delivery is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #pump(): void {
    for (const owned of this.#ready) {
      if (this.#running.size >= this.consume.concurrency) return;
      if (this.#running.has(owned.partition)) continue;
      this.#ready.delete(owned);
      this.#running.set(owned.partition, this.#run(owned));
    }
  }

  async #run(owned: OwnedPartition): Promise<void> {
    try {
      const records = await owned.deliver();
      this.#reports.done(records);
      if (records > 0 && !this.#stopped) this.#ready.add(owned);
    } catch (error) {
      this.#failed(owned, error);
    }
    this.#running.delete(owned.partition);
    if (owned.signal.aborted) this.#handOver(owned);
    this.#pump();
  }

  #failed(owned: OwnedPartition, error: unknown): void {
    if (error instanceof PartitionLostError || owned.signal.aborted) return;
    const { partition, committed: offset } = owned;
    const delay = this.#reports.failed({ partition, offset, failures: ++owned.failures }, error);
    this.#waiting.add(owned);
    void this.options.clock.sleep(delay, owned.signal).then(() => {
      this.#waiting.delete(owned);
      if (!owned.signal.aborted) this.wake(owned);
    });
  }

  #handOver(owned: OwnedPartition): void {
    this.#ready.delete(owned);
    if (this.#stopped) return;
    // If this fails, the next heartbeat finds the partition still held and tries again.
    this.release(owned).catch((error) => {
      this.options.log.warn("partition not handed over yet", { partition: owned.partition, error });
    });
  }
}
