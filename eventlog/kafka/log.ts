import type { Admin, Kafka } from "kafkajs";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import type { Gauge } from "#kit/metrics.ts";
import { retry } from "#kit/retry.ts";
import type { Worker } from "#kit/worker.ts";
import type { TopicSpec } from "#contract/topics.ts";
import { SharedAdmin } from "#eventlog/kafka/admin.ts";
import {
  brief,
  groupName,
  isMoved,
  isPassing,
  isUnknownTopic,
  kafkaClient,
  type KafkaLogOptions,
  translate,
  wireName,
} from "#eventlog/kafka/client.ts";
import { KafkaConsumer } from "#eventlog/kafka/consumer.ts";
import { readRange } from "#eventlog/kafka/reader.ts";
import { Sender } from "#eventlog/kafka/sender.ts";
import { place, Spread, type TopicInfo } from "#eventlog/records.ts";
import type {
  ConsumeOptions,
  EventLog,
  Lag,
  LostRecords,
  NewRecord,
  Position,
} from "#eventlog/port.ts";

/** Time limit of every call but a publish, milliseconds. */
const callMs = 15_000;
/** Time limit of a change of committed offsets, for which the client joins the group. */
const rewindMs = 60_000;
/** Overhead of a record batch: its frame, and what compression adds to incompressible data. */
const frameBytes = 64 * 1024;

/** The event log on Kafka. Connects only when it is first used. */
export function kafkaEventLog(
  given: Omit<KafkaLogOptions, "clock" | "sessionMs"> & Partial<KafkaLogOptions>,
): EventLog {
  return new Log({ clock: systemClock, sessionMs: 10_000, ...given });
}

class Log implements EventLog {
  readonly engine = "kafka";
  readonly #kafka: Kafka;
  readonly #sender: Sender;
  readonly #topics = new Map<string, TopicInfo>();
  readonly #limits = new Map<string, number>();
  readonly #spread = new Spread();
  readonly #admin: SharedAdmin;
  readonly #consumerOptions: KafkaLogOptions;
  readonly #lost = new Map<string, LostRecords>();
  readonly #missing: Gauge;
  #refusal: string | undefined;

  constructor(private readonly options: KafkaLogOptions) {
    this.#kafka = kafkaClient(options);
    this.#missing = options.metrics.gauge(
      "tributary_log_records_missing",
      "1 while Kafka is refused because it lacks records that it had acknowledged",
    );
    this.#consumerOptions = {
      ...options,
      refusal: () => options.refusal?.() ?? this.#refusal,
    };
    const lost = (records: LostRecords, text: string) => {
      this.#lost.set(`${records.topic}/${records.partition}`, records);
      this.refuse(text);
    };
    this.#sender = new Sender({ ...options, kafka: this.#kafka, lost });
    this.#admin = new SharedAdmin(kafkaClient(options, brief));
  }

  async ensureTopics(topics: TopicSpec[]): Promise<void> {
    for (const spec of topics) this.#limits.set(spec.name, spec.maxRecordBytes);
    const missing = await this.#call(async (admin) => {
      const present = new Set(await admin.listTopics());
      return topics.filter(({ name }) => !present.has(this.#wire(name)));
    });
    if (missing.length === 0) return;
    await this.#call((admin) =>
      admin.createTopics({
        // kafkajs would wait for leaders, but not for a broker that does not know the topic yet.
        waitForLeaders: false,
        timeout: 10_000,
        topics: missing.map((spec) => ({
          topic: this.#wire(spec.name),
          numPartitions: spec.partitions,
          replicationFactor: this.options.replicationFactor,
          configEntries: [
            { name: "max.message.bytes", value: String(spec.maxRecordBytes + frameBytes) },
            { name: "retention.ms", value: String(spec.retentionMs) },
            { name: "message.timestamp.type", value: "LogAppendTime" },
          ],
        })),
      })
    );
    const created = missing.map(({ name }) => this.#wire(name));
    const known = (admin: Admin) => admin.fetchTopicMetadata({ topics: created });
    await this.#admin.call(known, callMs, isUnknownTopic);
  }

  async publish(topic: string, records: NewRecord[], { timeoutMs }: { timeoutMs: number }) {
    if (this.#refusal !== undefined) throw unavailable(this.#refusal);
    const started = this.options.clock.now();
    const partitioned = place(topic, records, await this.#topic(topic, timeoutMs), this.#spread);
    if (partitioned.length === 0) return [] as Position[];
    const left = Math.max(1, timeoutMs - (this.options.clock.now() - started));
    return this.#sender.send(this.#wire(topic), topic, partitioned, left);
  }

  consumer(options: ConsumeOptions): Worker {
    const wireTopic = this.#wire(options.topic);
    return new KafkaConsumer(this.#kafka, this.#consumerOptions, options, wireTopic);
  }

  foreignConsumer(options: ConsumeOptions): Worker {
    return new KafkaConsumer(this.#kafka, this.options, options, options.topic);
  }

  async lag(group: string, topic: string): Promise<Lag[]> {
    const [groups, bounds] = await Promise.all([
      this.#offsets(group, topic),
      this.bounds(topic),
    ]);
    const committed = new Map(
      groups.flatMap((g) => g.partitions.map((p) => [p.partition, Number(p.offset)])),
    );
    return bounds.map(({ partition, start, end }) => {
      const at = committed.get(partition) ?? -1;
      const next = at < 0 ? start : at;
      return { partition, committed: next, end, lag: end - Math.max(next, start) };
    });
  }

  refuse(reason: string | undefined): void {
    if (reason !== undefined && this.#refusal === undefined) {
      this.options.log.error("event log is refused", { state: "records_missing", cause: reason });
    }
    if (reason === undefined && this.#refusal !== undefined) {
      this.options.log.info("event log is used again");
      this.#sender.forgetOffsets();
      this.#lost.clear();
    }
    this.#refusal = reason;
    this.#missing.set({}, reason === undefined ? 0 : 1);
  }

  refusal(): string | undefined {
    return this.#refusal;
  }

  lost(): LostRecords[] {
    return [...this.#lost.values()];
  }

  async notes(group: string, topic: string): Promise<string[]> {
    const found = await this.#offsets(group, topic);
    const notes = found.flatMap(({ partitions }) => partitions.map(({ metadata }) => metadata));
    return notes.filter((note): note is string => Boolean(note));
  }

  async rewind(
    group: string,
    topic: string,
    offsets: { partition: number; offset: number }[],
  ): Promise<void> {
    if (offsets.length === 0) return;
    const groupId = groupName(this.options.instance, group, topic);
    const partitions = offsets.map(({ partition, offset }) => ({
      partition,
      offset: String(offset),
    }));
    await this.#call(async (admin) => {
      const { groups: [description] } = await admin.describeGroups([groupId]);
      const members = description?.members.length ?? 0;
      if (members > 0) throw unavailable(`Consumer group ${groupId} has ${members} members`);
      await admin.setOffsets({ groupId, topic: this.#wire(topic), partitions });
    }, rewindMs);
  }

  async read(
    topic: string,
    range: { partition: number; from: number; to?: number; limit: number },
  ) {
    const { partition, limit } = range;
    const bound = (await this.bounds(topic)).find((b) => b.partition === partition);
    const from = Math.max(range.from, bound?.start ?? 0);
    const to = Math.min(range.to ?? Infinity, bound?.end ?? 0);
    if (from >= to || limit <= 0) return [];
    const groupId = this.#wire(`read.${crypto.randomUUID()}`);
    try {
      const wireTopic = this.#wire(topic);
      const request = { wireTopic, topic, partition, from, to, limit };
      const deadline = performance.now() + callMs;
      const once = () =>
        readRange(this.#kafka, groupId, request, Math.max(0, deadline - performance.now()));
      return await retry(once, {
        attempts: Infinity,
        initial: 100,
        max: 1_000,
        retryable: (error) => isPassing(error) || isMoved(error),
        signal: AbortSignal.timeout(callMs),
      });
    } catch (error) {
      throw translate(error);
    } finally {
      await this.#call((admin) => admin.deleteGroups([groupId])).catch(() => {});
    }
  }

  async bounds(topic: string) {
    const rows = await this.#call((admin) => admin.fetchTopicOffsets(this.#wire(topic)));
    return rows
      .map((r) => ({ partition: r.partition, start: Number(r.low), end: Number(r.high) }))
      .sort((a, b) => a.partition - b.partition);
  }

  async truncate(topic: string): Promise<void> {
    const filled = (await this.bounds(topic)).filter(({ start, end }) => start < end);
    if (filled.length === 0) return;
    const partitions = filled.map(({ partition, end }) => ({ partition, offset: String(end) }));
    await this.#call((admin) => admin.deleteTopicRecords({ topic: this.#wire(topic), partitions }));
  }

  /** Does nothing: the broker applies the topic's `retention.ms`. */
  trim(): Promise<number> {
    return Promise.resolve(0);
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#call((admin) => admin.describeCluster(), timeoutMs);
  }

  async close(): Promise<void> {
    await this.#sender.close();
    await this.#admin.close();
  }

  /** What a group has committed, with its notes. */
  #offsets(group: string, topic: string) {
    const groupId = groupName(this.options.instance, group, topic);
    return this.#call((admin) => admin.fetchOffsets({ groupId, topics: [this.#wire(topic)] }));
  }

  #wire(name: string): string {
    return wireName(this.options.instance, name);
  }

  async #topic(name: string, timeoutMs: number): Promise<TopicInfo> {
    const known = this.#topics.get(name);
    if (known) return known;
    const metadata = await this.#call(
      (admin) => admin.fetchTopicMetadata({ topics: [this.#wire(name)] }),
      timeoutMs,
    );
    const partitions = metadata.topics[0]?.partitions.length ?? 0;
    if (partitions === 0) throw unavailable(`The event log has no topic ${name}`);
    const info = { partitions, maxRecordBytes: this.#limits.get(name) ?? Infinity };
    this.#topics.set(name, info);
    return info;
  }

  #call<T>(work: (admin: Admin) => Promise<T>, timeoutMs = callMs): Promise<T> {
    return this.#admin.call(work, timeoutMs);
  }
}
