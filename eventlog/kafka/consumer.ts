import type { Consumer, Kafka } from "kafkajs";
import { withTimeout } from "#kit/retry.ts";
import type { Health, Worker } from "#kit/worker.ts";
import {
  groupName,
  isPassing,
  type KafkaLogOptions,
  retryForever,
} from "#eventlog/kafka/client.ts";
import { busyWaitMs } from "#eventlog/kafka/client-patches.ts";
import { Deliveries } from "#eventlog/kafka/deliveries.ts";
import type { ConsumeOptions } from "#eventlog/port.ts";

/** Milliseconds before a consumer restarts after its broker was still starting. */
const rejoinMs = 1_000;

/** Milliseconds that a stop waits for a consumer that is still joining its group. */
const joinedWithinMs = 5_000;

/** Milliseconds between two looks at whether records may be consumed. */
const refusalMs = 1_000;

/** A consumer that uses Kafka's consumer groups. A partition whose handler threw is paused, with backoff. */
export class KafkaConsumer implements Worker {
  readonly name: string;
  #deliveries: Deliveries | undefined;
  #state = "stopped";
  #consumer: Consumer | undefined;
  /** The last consumer that the client gave up; a new one replaces it. */
  #abandoned: Consumer | undefined;
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
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    this.#abort = new AbortController();
    const { refusal } = this.options;
    if (refusal) void this.#heed(refusal, this.#abort.signal, onCrash);
    if (refusal?.() === undefined) this.#join(onCrash);
    else this.#state = "refused";
    return Promise.resolve();
  }

  #join(onCrash: (error: unknown) => void): void {
    this.#state = "joining";
    const consumer = this.#consumer = this.kafka.consumer({
      groupId: this.consume.groupId ??
        groupName(this.options.instance, this.consume.group, this.consume.topic),
      sessionTimeout: this.options.sessionMs,
      heartbeatInterval: this.#heartbeatMs,
      rebalanceTimeout: 60_000,
      // `useIdleFetch` makes it longer for a consumer that is idle.
      maxWaitTimeInMs: busyWaitMs,
      maxBytes: this.consume.maxBytes,
      maxBytesPerPartition: this.consume.maxBytes,
      allowAutoTopicCreation: false,
      retry: retryForever,
    });
    const { options, consume, wireTopic } = this;
    const signal = this.#abort.signal;
    const deliveries = new Deliveries({
      consumer,
      options,
      consume,
      wireTopic,
      signal,
      heartbeatMs: this.#heartbeatMs,
    });
    this.#deliveries = deliveries;
    this.#observe(consumer, deliveries, onCrash);
    void this.#run(consumer, deliveries).catch((error) => {
      if (this.#consumer !== consumer || this.#abort.signal.aborted) return;
      this.#ended(consumer, error, onCrash);
    });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#leave();
    this.#state = "stopped";
  }

  /** Leaves the group while records must not be consumed, so that its offsets can be changed, and joins it afterwards. */
  async #heed(
    refusal: () => string | undefined,
    signal: AbortSignal,
    onCrash: (error: unknown) => void,
  ): Promise<void> {
    for (;;) {
      await this.options.clock.sleep(refusalMs, signal);
      if (signal.aborted) return;
      const isRefused = refusal() !== undefined;
      if (isRefused && this.#state === "running") {
        this.#state = "refused";
        await this.#leave();
      } else if (!isRefused && this.#state === "refused") this.#join(onCrash);
    }
  }

  async #leave(): Promise<void> {
    await this.#deliveries?.stop();
    await this.#joined();
    const consumer = this.#consumer;
    this.#consumer = undefined;
    // Disconnecting waits for the batches being handled, then leaves the group.
    await consumer?.disconnect().catch((error) => {
      this.options.log.warn("consumer did not leave its group", { worker: this.name, error });
    });
  }

  /**
   * Waits until joining has ended: a consumer that is asked to leave while it joins would still become a
   * member, and hold partitions.
   */
  async #joined(): Promise<void> {
    const error = () => new Error(`still joining after ${joinedWithinMs} ms`);
    await withTimeout(this.#joining, joinedWithinMs, error).catch((error) => {
      this.options.log.warn("consumer leaves before it joined", { worker: this.name, error });
    });
  }

  health(): Health {
    const failing = this.#deliveries?.failing ?? [];
    const detail = this.#state === "refused"
      ? this.options.refusal?.()
      : failing.length > 0
      ? `retrying partitions ${failing.join(", ")}`
      : undefined;
    return { ready: this.#state === "running", state: this.#state, detail };
  }

  /** The client sends one between two fetches: one that is due while an idle consumer waits follows within two seconds. */
  get #heartbeatMs(): number {
    return Math.min(3_000, this.options.sessionMs * 0.15);
  }

  async #run(consumer: Consumer, deliveries: Deliveries): Promise<void> {
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
      eachBatch: (payload) => deliveries.deliver(payload),
    });
    await this.#joining;
    // The stop did not wait until this consumer had joined, so it leaves now.
    if (unwanted()) await consumer.disconnect();
  }

  #observe(consumer: Consumer, deliveries: Deliveries, onCrash: (error: unknown) => void): void {
    const { GROUP_JOIN, HEARTBEAT, REBALANCING, CRASH } = consumer.events;
    const mine = () => this.#consumer === consumer && !this.#abort.signal.aborted;
    consumer.on(GROUP_JOIN, () => {
      deliveries.begin();
      if (mine()) this.#state = "running";
    });
    consumer.on(REBALANCING, () => {
      deliveries.release();
      if (mine()) this.#state = "joining";
    });
    // A coordinator that still loads its groups refuses the join. kafkajs then continues with its old membership, which the
    // coordinator knows once it has loaded, and emits no GROUP_JOIN.
    consumer.on(HEARTBEAT, () => {
      if (!mine() || this.#state !== "joining") return;
      deliveries.retain();
      this.#state = "running";
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
    if (this.#abandoned === consumer) return;
    this.#abandoned = consumer;
    this.#state = "waiting";
    void this.#rejoin(consumer, onCrash);
  }

  async #rejoin(crashed: Consumer, onCrash: (error: unknown) => void): Promise<void> {
    const { signal } = this.#abort;
    await this.#deliveries?.stop();
    await this.options.clock.sleep(rejoinMs, signal);
    if (this.#consumer === crashed && !signal.aborted) this.#join(onCrash);
  }
}
