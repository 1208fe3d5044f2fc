import type { EventLog } from "#eventlog/port.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { createForeignLog } from "#platform/adapters.ts";
import type { Context } from "#platform/context.ts";
import { ForeignRecords } from "./records.ts";

/** Records and bytes of one delivery, which are stored together. */
const maxRecords = 500;
const maxBytes = 8 * 1_048_576;

/**
 * The consumer of the Kafka topic into which the Kafka sinks of DataHub write, if one is configured. Its offsets are
 * committed once the aspects are stored.
 */
export function kafkaSourceWorkers(context: Context): Worker[] {
  const { enabled, kafka } = context.config.datahub;
  return enabled && kafka.brokers ? [new KafkaSource(context)] : [];
}

class KafkaSource implements Worker {
  readonly name: string;
  #log: EventLog | undefined;
  #records: ForeignRecords | undefined;
  #consumer: Worker | undefined;

  constructor(private readonly context: Context) {
    this.name = `DataHub from topic ${context.config.datahub.kafka.topic}`;
  }

  async start(onCrash: (error: unknown) => void): Promise<void> {
    await this.stop();
    const { kafka } = this.context.config.datahub;
    const records = this.#records = new ForeignRecords(this.context);
    this.#log = await createForeignLog(this.context, "datahub.kafka", kafka);
    this.#consumer = this.#log.foreignConsumer!({
      group: "datahub",
      groupId: kafka["group-id"],
      topic: kafka.topic,
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
