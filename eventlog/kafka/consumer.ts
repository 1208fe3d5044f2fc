import type { Consumer, EachBatchPayload, Kafka } from "kafkajs";
import { backoff, withTimeout } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { groupName, isPassing, type KafkaLogOptions, patient } from "#eventlog/kafka/client.ts";
import { Delivery } from "#eventlog/kafka/delivery.ts";
import { toRecord } from "#eventlog/kafka/message.ts";
import type { ConsumeOptions, LogRecord } from "#eventlog/port.ts";
import { recordBytes, runs } from "#eventlog/records.ts";

/** Milliseconds of work on one fetched batch before the other partitions are fetched again. */
const turnMs = 500;

/** Milliseconds before a consumer restarts after its broker was still starting. */
const anewMs = 1_000;

/** Milliseconds that a stop waits for a consumer that is still joining its group. */
const joinedWithinMs = 5_000;

/** A consumer that uses Kafka's consumer groups. A partition whose handler threw is paused, with backoff. */
export class KafkaConsumer implements Worker {
  readonly name: string;
  readonly #failures = new Map<number, number>();
  readonly #inHand = new Set<Delivery>();
  readonly #failed;
  readonly #done;
  #state = "stopped";
  #generation = 0;
  #consumer: Consumer | undefined;
  /** The last consumer that the client gave up; a new one replaces it. */
  #givenUp: Consumer | undefined;
  /** Settles once the consumer is a member of its group. */
  #joining: Promise<void> = Promise.resolve();
  #abort = new AbortController();

  constructor(
    private readonly kafka: Kafka,
    private readonly options: KafkaLogOptions,
    private readonly consume: ConsumeOptions,
    /** Name of the topic in Kafka. */
    private readonly wireTopic: string,
  ) {
    this.name = `consumer ${consume.group} of ${consume.topic}`;
    const labels = ["group", "topic"];
    this.#failed = options.metrics.counter(
      "tributary_log_delivery_failures_total",
      "Deliveries whose handler threw",
      labels,
    );
    this.#done = options.metrics.counter(
      "tributary_log_records_done_total",
      "Records that a consumer group is done with",
      labels,
    );
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#abort = new AbortController();
    this.#failures.clear();
    this.#state = "joining";
    const consumer = this.#consumer = this.kafka.consumer({
      groupId: this.consume.groupId ??
        groupName(this.options.instance, this.consume.group, this.consume.topic),
      sessionTimeout: this.options.sessionMs,
      heartbeatInterval: this.#heartbeatMs,
      rebalanceTimeout: 60_000,
      // A rebalance waits this long for this member, and so does a resumed partition for its fetch.
      maxWaitTimeInMs: 250,
      maxBytes: this.consume.maxBytes,
      maxBytesPerPartition: this.consume.maxBytes,
      allowAutoTopicCreation: false,
      retry: patient,
    });
    this.#observe(consumer, onCrash);
    void this.#run(consumer).catch((error) => {
      if (this.#consumer !== consumer || this.#abort.signal.aborted) return;
      this.#ended(consumer, error, onCrash);
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    for (const delivery of this.#inHand) delivery.finish();
    await this.#joined();
    // Disconnecting waits for the batches being handled, then leaves the group.
    await this.#consumer?.disconnect().catch((error) => {
      this.options.log.warn("consumer did not leave its group", { worker: this.name, error });
    });
    this.#consumer = undefined;
    this.#state = "stopped";
  }

  /**
   * Waits until joining has ended: a consumer that is told to leave while it joins would still become a
   * member, and hold partitions.
   */
  async #joined(): Promise<void> {
    const error = () => new Error(`still joining after ${joinedWithinMs} ms`);
    await withTimeout(this.#joining, joinedWithinMs, error).catch((error) => {
      this.options.log.warn("consumer leaves before it joined", { worker: this.name, error });
    });
  }

  health(): Health {
    const failing = [...this.#failures.keys()];
    const detail = failing.length > 0 ? `retrying partitions ${failing.join(", ")}` : undefined;
    return { ready: this.#state === "running", state: this.#state, detail };
  }

  get #heartbeatMs(): number {
    return Math.min(3_000, this.options.sessionMs / 5);
  }

  async #run(consumer: Consumer): Promise<void> {
    await consumer.connect();
    await consumer.subscribe({
      topic: this.wireTopic,
      fromBeginning: this.consume.from !== "latest",
    });
    const unwanted = () => this.#consumer !== consumer || this.#abort.signal.aborted;
    if (unwanted()) return consumer.disconnect();
    this.#joining = consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: this.consume.concurrency,
      eachBatch: (payload) => this.#batch(consumer, payload),
    });
    await this.#joining;
    // The stop did not wait until this consumer had joined, so it leaves now.
    if (unwanted()) await consumer.disconnect();
  }

  #observe(consumer: Consumer, onCrash: (error: unknown) => void): void {
    const { GROUP_JOIN, REBALANCING, CRASH } = consumer.events;
    const mine = () => this.#consumer === consumer && !this.#abort.signal.aborted;
    consumer.on(GROUP_JOIN, () => {
      this.#generation++;
      this.#failures.clear();
      if (mine()) this.#state = "running";
    });
    consumer.on(REBALANCING, () => {
      if (mine()) this.#state = "joining";
    });
    consumer.on(CRASH, ({ payload: { error, restart } }) => {
      if (!mine()) return;
      if (restart) this.#state = "waiting";
      else this.#ended(consumer, error, onCrash);
    });
  }

  /** Called when the client has given a consumer up. */
  #ended(consumer: Consumer, error: unknown, onCrash: (error: unknown) => void): void {
    if (!isPassing(error)) {
      this.#state = "crashed";
      return onCrash(error);
    }
    // The client reports one end of a consumer twice: by an event and by a rejection.
    if (this.#givenUp === consumer) return;
    this.#givenUp = consumer;
    this.#state = "waiting";
    void this.#beginAnew(consumer, onCrash);
  }

  async #beginAnew(crashed: Consumer, onCrash: (error: unknown) => void): Promise<void> {
    const { signal } = this.#abort;
    await this.options.clock.sleep(anewMs, signal);
    if (this.#consumer === crashed && !signal.aborted) await this.start(onCrash);
  }

  async #batch(consumer: Consumer, payload: EachBatchPayload): Promise<void> {
    const generation = this.#generation;
    const delivery = new Delivery({
      payload,
      topic: this.consume.topic,
      handler: this.consume.handler,
      heartbeatMs: this.#heartbeatMs,
      current: () => this.#generation === generation,
    });
    this.#inHand.add(delivery);
    try {
      await this.#deliver(payload, delivery);
    } catch (error) {
      if (!delivery.broken && !delivery.signal.aborted) this.#pause(consumer, payload, error);
    } finally {
      this.#inHand.delete(delivery);
    }
    // Rethrown for the client's own loop, which joins the group again or reconnects, depending on the error.
    if (delivery.broken) throw delivery.broken;
  }

  async #deliver(payload: EachBatchPayload, delivery: Delivery): Promise<void> {
    const { batch, isStale } = payload;
    const end = this.options.clock.now() + turnMs;
    const records = batch.messages.map((m) => toRecord(this.consume.topic, batch.partition, m));
    const sized = records.map((record) => ({ record, bytes: recordBytes(record) }));
    for (const run of runs(sized, this.consume)) {
      if (this.#abort.signal.aborted || delivery.signal.aborted || isStale()) return;
      const slice: LogRecord[] = run.map(({ record }) => record);
      await delivery.handle(slice);
      this.#failures.delete(batch.partition);
      this.#done.inc(this.#labels(), slice.length);
      if (this.options.clock.now() > end) return;
    }
  }

  #pause(consumer: Consumer, { batch: { topic, partition } }: EachBatchPayload, error: unknown) {
    const failures = (this.#failures.get(partition) ?? 0) + 1;
    this.#failures.set(partition, failures);
    this.#failed.inc(this.#labels());
    const delay = backoff(failures, { initial: 100, max: 10_000 });
    this.options.log.warn("delivery failed, will be repeated", {
      ...this.#labels(),
      partition,
      failures,
      delay,
      error,
    });
    const partitions = [{ topic, partitions: [partition] }];
    consumer.pause(partitions);
    void this.options.clock.sleep(delay, this.#abort.signal).then(() => {
      if (!this.#abort.signal.aborted) consumer.resume(partitions);
    });
  }

  #labels(): Record<string, string> {
    return { group: this.consume.group, topic: this.consume.topic };
  }
}
