import type { EventLog } from "#eventlog/port.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { createForeignLog } from "#platform/adapters.ts";
import type { Context } from "#platform/context.ts";
import { ForeignRecords } from "./records.ts";

/** Records and bytes of one delivery; what they hold is published side by side. */
const maxRecords = 64;
const maxBytes = 8 * 1_048_576;

/**
 * The consumer of the Kafka topic into which clients of OpenLineage write, if one is configured. Its offsets are
 * committed once the events are in the event log of this instance.
 */
export function kafkaSourceWorkers(context: Context): Worker[] {
  const { enabled, kafka } = context.config.openlineage;
  return enabled && kafka.brokers ? [new KafkaSource(context)] : [];
}

class KafkaSource implements Worker {
  readonly name: string;
  #log: EventLog | undefined;
  #records: ForeignRecords | undefined;
  #consumer: Worker | undefined;

  constructor(private readonly context: Context) {
    this.name = `OpenLineage from topic ${context.config.openlineage.kafka.topic}`;
  }

  async start(onCrash: (error: unknown) => void): Promise<void> {
    await this.stop();
    const { kafka } = this.context.config.openlineage;
    const { topic, "group-id": groupId } = kafka;
    const records = this.#records = new ForeignRecords(this.context);
    this.#log = await createForeignLog(this.context, "openlineage.kafka", kafka);
    this.#consumer = this.#log.foreignConsumer!({
      group: "openlineage-source",
      groupId,
      topic,
      maxRecords,
      maxBytes,
      concurrency: 4,
      handler: (delivered) => records.take(delivered),
    });
    await this.#consumer.start(onCrash);
  }

  async stop(): Promise<void> {
    const [consumer, log, records] = [this.#consumer, this.#log, this.#records];
    this.#consumer = this.#log = this.#records = undefined;
    await consumer?.stop();
    await log?.close();
    await records?.stop();
  }

  health(): Health {
    return this.#consumer?.health() ?? { ready: false, state: "stopped" };
  }
}
