import type { Consumer } from "kafkajs";
import type { Clock } from "#kit/clock.ts";
import type { Logger } from "#kit/log.ts";
import { backoff } from "#kit/retry.ts";

/** A partition, by the name of its topic in Kafka. */
interface Place {
  topic: string;
  partition: number;
}

const placesOf = ({ topic, partition }: Place) => [{ topic, partitions: [partition] }];

/**
 * The partitions of which a consumer fetches nothing for a while: those whose delivery failed, with backoff, and those
 * whose delivery goes on while others are fetched.
 */
export class Pauses {
  readonly #failures = new Map<number, number>();
  readonly #aside = new Map<number, Promise<void>>();

  constructor(private readonly options: { clock: Clock; log: Logger }) {}

  /** The partitions whose last delivery failed. */
  get failing(): number[] {
    return [...this.#failures.keys()];
  }

  /** How many deliveries go on while others are fetched. */
  get aside(): number {
    return this.#aside.size;
  }

  /** Pauses a partition whose delivery failed; longer with each failure in a row. `labels` are for the log. */
  afterFailure(
    consumer: Consumer,
    place: Place,
    { error, labels, signal }: {
      error: unknown;
      labels: Record<string, string>;
      signal: AbortSignal;
    },
  ): void {
    const { partition } = place;
    const failures = (this.#failures.get(partition) ?? 0) + 1;
    this.#failures.set(partition, failures);
    const delay = backoff(failures, { initial: 100, max: 10_000 });
    const told = { ...labels, partition, failures, delay, error };
    this.options.log.warn("delivery failed, will be repeated", told);
    consumer.pause(placesOf(place));
    void this.options.clock.sleep(delay, signal).then(() => {
      if (!signal.aborted) consumer.resume(placesOf(place));
    });
  }

  delivered(partition: number): void {
    this.#failures.delete(partition);
  }

  /** Pauses a partition until `work` on it is done; when that says it failed, the pause after the failure goes on. */
  while(consumer: Consumer, place: Place, work: Promise<{ failed: boolean }>): void {
    consumer.pause(placesOf(place));
    const done = work.then(({ failed }) => {
      this.#aside.delete(place.partition);
      if (!failed) consumer.resume(placesOf(place));
    });
    this.#aside.set(place.partition, done);
  }

  /** Resolves once no delivery of the partition goes on aside. */
  async over(partition: number): Promise<void> {
    await this.#aside.get(partition);
  }

  /** The same for all partitions. */
  async allOver(): Promise<void> {
    await Promise.all(this.#aside.values());
  }

  /** Forgets failures: the partitions have been assigned anew. */
  forget(): void {
    this.#failures.clear();
  }
}
