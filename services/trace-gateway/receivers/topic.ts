import type { Logger } from "#kit/log.ts";
import type { Worker } from "#kit/worker.ts";
import type { LogRecord } from "#eventlog/port.ts";
import type { Context } from "#platform/context.ts";
import type { Intake } from "../intake/intake.ts";
import { MalformedRequest } from "../otlp/decoded.ts";

/** Records of one delivery; what they hold is published side by side. */
const maxRecords = 64;
/** First byte of a record in JSON; no request in protobuf starts with it. */
const brace = "{".charCodeAt(0);

/**
 * The consumer of the Kafka topic into which exporters write, if one is configured: each record is a
 * request, in protobuf as the Collector's exporter writes it, or in JSON. Throws when the event log of
 * this instance is not Kafka.
 */
export function topicReceivers(context: Context, intake: Intake): Worker[] {
  const { traces } = context.config;
  const topic = traces["otlp-topic"];
  if (topic === undefined) return [];
  if (!context.events.foreignConsumer) {
    throw new Error("traces.otlp-topic names a Kafka topic: it needs event-log.kafka.brokers");
  }
  const worker = context.events.foreignConsumer({
    group: "traces",
    topic,
    maxRecords,
    maxBytes: Math.min(traces["max-request-size"], traces["max-in-flight"]),
    concurrency: 4,
    handler: async (records) => {
      await Promise.all(records.map((record) => take(record, intake, context.log)));
    },
  });
  return [worker];
}

/** Rejects when the record has to come again; one that is no request is passed over, and told. */
async function take(record: LogRecord, intake: Intake, log: Logger): Promise<void> {
  const { value, topic, partition, offset } = record;
  const reservation = intake.budget.open();
  try {
    reservation.atLeast(value.byteLength);
    const { refused, reason } = await intake.accept(
      value,
      value[0] === brace ? "json" : "protobuf",
      "kafka",
    );
    if (refused > 0) log.warn("spans refused", { topic, partition, offset, refused, reason });
  } catch (error) {
    if (!(error instanceof MalformedRequest)) throw error;
    log.warn("record is no trace request", { topic, partition, offset, error });
  } finally {
    reservation.release();
  }
}
