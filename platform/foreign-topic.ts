import type { EventLog, LogRecord } from "#eventlog/port.ts";
import type { Health, Worker } from "#kit/worker.ts";
import { createForeignLog } from "#platform/adapters.ts";
import type { ForeignKafkaConfig } from "#platform/config/integrations.ts";
import type { Context } from "#platform/context.ts";

/** Stores the records of such a topic; one for each start of the consumer. */
export interface RecordIntake {
  /** Resolves once all are stored; rejects when they should be delivered again. */
  take(records: LogRecord[]): Promise<void>;
  stop(): Promise<void>;
}

interface ForeignTopicOptions {
  /** Who writes there, such as `DataHub`. */
  writers: string;
  /** Key of its configuration, such as `datahub.kafka`. */
  key: string;
  kafka: ForeignKafkaConfig;
  /** Name of the consumer group in metrics, and part of its id unless `group-id` is set. */
  group: string;
  /** Records and bytes of one delivery. */
  maxRecords: number;
  maxBytes: number;
  open: () => RecordIntake;
}

/** Consumes a topic in a Kafka cluster that is not ours. Offsets are committed once its records are taken. */
export class ForeignTopic implements Worker {
  readonly name: string;
  #log: EventLog | undefined;
  #intake: RecordIntake | undefined;
  #consumer: Worker | undefined;

  constructor(private readonly context: Context, private readonly options: ForeignTopicOptions) {
    this.name = `${options.writers} from topic ${options.kafka.topic}`;
  }

  async start(onCrash: (error: unknown) => void): Promise<void> {
    await this.stop();
    const { key, kafka, group, maxRecords, maxBytes, open } = this.options;
    const intake = this.#intake = open();
    this.#log = await createForeignLog(this.context, key, kafka);
    this.#consumer = this.#log.foreignConsumer!({
      group,
      groupId: kafka["group-id"],
      topic: kafka.topic,
      maxRecords,
      maxBytes,
      concurrency: 4,
      handler: (records) => intake.take(records),
    });
    await this.#consumer.start(onCrash);
  }

  async stop(): Promise<void> {
    const [consumer, log, intake] = [this.#consumer, this.#log, this.#intake];
    this.#consumer = this.#log = this.#intake = undefined;
    await consumer?.stop();
    await log?.close();
    await intake?.stop();
  }

  health(): Health {
    return this.#consumer?.health() ?? { ready: false, state: "stopped" };
  }
}
