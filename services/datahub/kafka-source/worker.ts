import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { ForeignTopic } from "#platform/foreign-topic.ts";
import { ForeignRecords } from "./records.ts";

/** The consumer of the Kafka topic into which the Kafka sinks of DataHub write, if one is configured. */
export function kafkaSourceWorkers(context: Context): Worker[] {
  const { enabled, kafka } = context.config.datahub;
  if (!enabled || !kafka.brokers) return [];
  return [
    new ForeignTopic(context, {
      writers: "DataHub",
      key: "datahub.kafka",
      kafka,
      group: "datahub",
      // These are stored together.
      maxRecords: 500,
      maxBytes: 8 * 1_048_576,
      open: () => new ForeignRecords(context),
    }),
  ];
}
