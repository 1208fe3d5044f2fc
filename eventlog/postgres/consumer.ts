import { messageOf } from "#kit/errors.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { backoff } from "#kit/retry.ts";
import { classify } from "#metadata/postgres/database.ts";
import type { ConsumeOptions } from "#eventlog/port.ts";
import { Deliveries } from "#eventlog/postgres/deliveries.ts";
import type { Claim } from "#eventlog/postgres/queries.ts";
import type { OwnValues } from "#eventlog/postgres/own-values.ts";
import { Membership, OwnedPartition } from "#eventlog/postgres/partition.ts";
import type { PostgresLogOptions } from "#eventlog/postgres/options.ts";

/**
 * A consumer on PostgreSQL. Its loop keeps the group membership alive and follows the assignment of
 * partitions; `Deliveries` runs the handlers. Notifications on `log_records` and `log_groups`, and its own
 * heartbeat, wake it.
 */
export class PostgresConsumer implements Worker {
  readonly name: string;
  readonly #owned = new Map<number, OwnedPartition>();
  #deliveries: Deliveries;
  #state: Health["state"] = "stopped";
  #stopping = false;
  #ended = false;
  #membership: Membership | undefined;
  #loop: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #lastBeat = 0;
  #wake = () => {};
  #unsubscribe: (() => void)[] = [];

  constructor(
    private readonly options: PostgresLogOptions,
    private readonly consume: ConsumeOptions,
    private readonly own: OwnValues,
  ) {
    this.name = `consumer ${consume.group} of ${consume.topic}`;
    this.#deliveries = this.#newDeliveries();
  }

  #newDeliveries(): Deliveries {
    return new Deliveries(this.options, this.consume, (owned) => this.#release(owned));
  }

  start(onCrash: (error: unknown) => void): Promise<void> {
    const { wakeups } = this.options;
    this.#stopping = false;
    this.#ended = false;
    this.#deliveries = this.#newDeliveries();
    this.#state = "joining";
    this.#unsubscribe = [
      wakeups.on("log_records", (payload) => this.#onRecords(payload)),
      wakeups.on("log_groups", (payload) => this.#onGroup(payload)),
    ];
    this.#loop = this.#run().catch(async (error) => {
      this.#loseAll();
      await this.#deliveries.idle();
      this.#state = "crashed";
      onCrash(error);
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    this.#deliveries.stop();
    for (const owned of this.#owned.values()) owned.finish();
    // Heartbeats continue until the last batch is marked done, or marking it has failed.
    await this.#deliveries.idle();
    this.#ended = true;
    this.#wake();
    await this.#loop;
    this.#owned.clear();
    await this.#membership?.leave().catch((error) => {
      this.options.log.warn("could not leave the group", { worker: this.name, error });
    });
    this.#membership = undefined;
    this.#state = "stopped";
  }

  health(): Health {
    const failing = [...this.#owned.values()].filter((p) => p.failures > 0).map((p) => p.partition);
    const detail = failing.length > 0 ? `retrying partitions ${failing.join(", ")}` : undefined;
    return { ready: this.#state === "running", state: this.#state, detail };
  }

  async #run(): Promise<void> {
    const { log, clock, heartbeatMs } = this.options;
    for (let failures = 0; !this.#ended;) {
      try {
        await this.#beat();
        failures = 0;
        if (this.#membership && !this.#stopping) this.#state = "running";
        if (this.#membership && !this.#ended) await this.#pause(heartbeatMs);
      } catch (error) {
        if (classify(error) === "unknown") throw error;
        this.#state = "waiting";
        log.warn("consumer waits for the event log", {
          worker: this.name,
          error: messageOf(error),
        });
        await clock.sleep(backoff(++failures, { initial: 100, max: 2_000 }));
      }
    }
  }

  /** Sends one heartbeat; joins first when there is no session. Concurrent callers share one. */
  #beat(): Promise<void> {
    this.#beating ??= this.#beatOnce().finally(() => this.#beating = undefined);
    return this.#beating;
  }

  async #beatOnce(): Promise<void> {
    const { db, sessionMs } = this.options;
    const { group, topic, from = "earliest" } = this.consume;
    if (this.#stopping && !this.#membership) return void (this.#ended = true);
    this.#membership ??= await Membership.join({ db, group, topic, sessionMs, from });
    const sentAt = this.options.clock.now();
    const claims = await this.#membership.heartbeat();
    if (claims) {
      this.#lastBeat = sentAt;
      return this.#follow(claims, this.#membership);
    }
    this.options.log.warn("consumer session ended, joining again", { worker: this.name });
    this.#membership = undefined;
    this.#loseAll();
  }

  /** Takes newly assigned partitions, hands over those that others wait for, drops those that were lost. */
  #follow(claims: Claim[], membership: Membership): void {
    const claimed = new Map(claims.map((claim) => [claim.partition, claim]));
    for (const [partition, owned] of this.#owned) {
      if (claimed.has(partition)) continue;
      owned.lose();
      this.#owned.delete(partition);
    }
    for (const claim of claims) {
      const owned = this.#owned.get(claim.partition) ?? this.#own(claim, membership);
      if (!claim.wanted) {
        owned.finish();
        this.#deliveries.settle(owned);
      } else if (claim.end > owned.committed) this.#deliveries.wake(owned);
    }
  }

  #own(claim: Claim, membership: Membership): OwnedPartition {
    const owned = new OwnedPartition({
      db: this.options.db,
      consume: this.consume,
      membership,
      partition: claim.partition,
      committed: claim.committed,
      own: this.own,
      prove: () => this.#prove(),
    });
    this.#owned.set(claim.partition, owned);
    return owned;
  }

  async #prove(): Promise<void> {
    const age = this.options.clock.now() - this.#lastBeat;
    if (age > this.options.heartbeatMs) await this.#beat();
  }

  async #release(owned: OwnedPartition): Promise<void> {
    if (this.#owned.get(owned.partition) !== owned || this.#stopping) return;
    this.#owned.delete(owned.partition);
    await this.#membership?.release(owned.partition);
  }

  #loseAll(): void {
    for (const owned of this.#owned.values()) owned.lose();
    this.#owned.clear();
  }

  #onRecords(payload: string): void {
    const [topic, partitions] = payload ? JSON.parse(payload) : [this.consume.topic, undefined];
    if (topic !== this.consume.topic) return;
    for (const partition of partitions ?? this.#owned.keys()) {
      const owned = this.#owned.get(partition);
      if (owned && !owned.signal.aborted) this.#deliveries.wake(owned);
    }
  }

  #onGroup(payload: string): void {
    const [group, topic] = payload ? JSON.parse(payload) : [this.consume.group, this.consume.topic];
    if (group === this.consume.group && topic === this.consume.topic) this.#wake();
  }

  async #pause(ms: number): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.options.clock.sleep(ms, woken.signal);
  }
}
