import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { ForeignTopic } from "#platform/foreign-topic.ts";
import { ForeignRecords } from "./records.ts";

/** The consumer of the Kafka topic into which clients of OpenLineage write, if one is configured. */
export function kafkaSourceWorkers(context: Context): Worker[] {
  const { enabled, kafka } = context.config.openlineage;
  if (!enabled || !kafka.brokers) return [];
  return [
    new ForeignTopic(context, {
      writers: "OpenLineage",
      key: "openlineage.kafka",
      kafka,
      group: "openlineage-source",
      // What these hold is published side by side.
      maxRecords: 64,
      maxBytes: 8 * 1_048_576,
      open: () => new ForeignRecords(context),
    }),
  ];
}
