import { AppError, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Worker } from "#kit/worker.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { FailureCounter } from "#eventlog/in-flight.ts";
import type { Context } from "#platform/context.ts";
import { OverloadedError, type Reservation } from "../intake/budget.ts";
import type { SpanIntake } from "../intake/intake.ts";
import { MalformedRequest } from "../otlp/decoding.ts";

/** Records of one delivery; what they hold is published side by side. */
const maxRecords = 64;
/** Failures of a record for an unknown reason, after which it is skipped. */
const maxFailures = 8;
/** First byte of a record in JSON; no request in protobuf starts with it. */
const brace = "{".charCodeAt(0);

/**
 * The consumer of the Kafka topic into which exporters write, if one is configured: each record is a
 * request, in protobuf as the Collector's exporter writes it, or in JSON. Throws when the event log of
 * this instance is not Kafka.
 */
export function topicReceivers(context: Context, intake: SpanIntake): Worker[] {
  const { traces } = context.config;
  const topic = traces["otlp-topic"];
  if (topic === undefined) return [];
  if (!context.events.foreignConsumer) {
    throw new Error("traces.otlp-topic names a Kafka topic: it needs event-log.kafka.brokers");
  }
  const taker = new RecordIntake(context, intake);
  const worker = context.events.foreignConsumer({
    group: "traces",
    topic,
    maxRecords,
    maxBytes: taker.maxBytes,
    concurrency: 4,
    handler: async (records) => {
      await Promise.all(records.map((record) => taker.take(record)));
    },
  });
  return [worker];
}

/**
 * Hands records to the intake. A record that can never be decoded is skipped: replayed from a dead
 * letter it would fail again.
 */
class RecordIntake {
  /** Largest record. */
  readonly maxBytes: number;
  readonly #failures = new FailureCounter();
  readonly #log: Logger;
  readonly #skipped;

  constructor({ config: { traces }, log, metrics }: Context, private readonly intake: SpanIntake) {
    this.maxBytes = Math.min(traces["max-request-size"], traces["max-in-flight"]);
    this.#log = log;
    this.#skipped = metrics.counter(
      "tributary_traces_records_skipped_total",
      "Records of the exporters' topic that were skipped, by reason",
      ["reason"],
    );
  }

  /**
   * Rejects when the record should be delivered again; one that cannot be taken is skipped, logged and
   * counted.
   */
  async take(record: LogRecord): Promise<void> {
    if (record.value.byteLength > this.maxBytes) return this.#passOver(record, "too_large");
    const reservation = this.intake.budget.open();
    reservation.complete();
    try {
      reservation.atLeast(record.value.byteLength);
      await this.#accept(record, reservation);
    } catch (error) {
      const reason = this.#reasonOf(error, record);
      if (reason === null) throw error;
      this.#passOver(record, reason, error);
    } finally {
      reservation.release();
    }
  }

  async #accept(record: LogRecord, reservation: Reservation): Promise<void> {
    const { value, topic, partition, offset } = record;
    const encoding = value[0] === brace ? "json" : "protobuf";
    const how = { encoding, protocol: "kafka" } as const;
    const { refused, reason } = await this.intake.accept(value, how, reservation);
    if (refused > 0) this.#log.warn("spans refused", { topic, partition, offset, refused, reason });
  }

  /** The reason for which the record is skipped; null when it should be delivered again. */
  #reasonOf(error: unknown, record: LogRecord): string | null {
    if (error instanceof MalformedRequest) return "malformed";
    if (error instanceof PermanentError) return error.reason;
    if (error instanceof AppError || error instanceof OverloadedError) return null;
    return this.#failures.count(record) >= maxFailures ? "internal_error" : null;
  }

  #passOver({ topic, partition, offset, value }: LogRecord, reason: string, error?: unknown): void {
    this.#skipped.inc({ reason });
    const what = reason === "malformed" ? "record is no trace request" : "record passed over";
    const bytes = value.byteLength;
    this.#log.warn(what, { topic, partition, offset, bytes, reason, error });
  }
}
