import { refusalText } from "#contract/openlineage/accept.ts";
import { evaluateEvent, type EventResult, eventSlices } from "#contract/openlineage/evaluate.ts";
import { eventHeaders } from "#contract/openlineage/record.ts";
import { openlineageDeadLetters } from "#contract/topics.ts";
import { deadLetter } from "#eventlog/dead-letters.ts";
import { FailureCounter } from "#eventlog/in-flight.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { AppError, type ErrorDetail, messageOf, PermanentError } from "#kit/errors.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Worker } from "#kit/worker.ts";
import type { Context } from "#platform/context.ts";
import { ForeignTopic } from "#platform/foreign-topic.ts";
import { EventIntake } from "#platform/openlineage/intake.ts";

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

/** Largest record that is read, bytes; as much as a batch over HTTP. */
const maxRecordBytes = 20 * 1_048_576;
/** Failures of a record for an unknown reason, after which it becomes a dead letter. */
const maxFailures = 8;
/** Refused events of a record that its dead letter names. */
const maxNamed = 100;

const traceparentForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

type Deps = Pick<Context, "db" | "events" | "clock" | "metrics" | "log" | "config">;

/** Why a record, or some of its events, becomes a dead letter. */
interface Fault {
  reason: string;
  message: string;
  details: ErrorDetail[];
}

/** Writes the events of foreign records to the event log; anything else becomes a dead letter and an intake warning. */
class ForeignRecords {
  readonly #intake: EventIntake;
  readonly #failures = new FailureCounter();

  constructor(private readonly context: Deps) {
    this.#intake = new EventIntake(context, "kafka");
  }

  /** Resolves once every record is published or a dead letter. Rejects when they should be delivered again. */
  async take(records: LogRecord[]): Promise<void> {
    const yielder = new EventLoopYielder();
    const published: Promise<void>[] = [];
    for (const record of records) {
      await yielder.yieldWhenDue();
      published.push(this.#takeOne(record));
    }
    const failed = (await Promise.allSettled(published)).find(({ status }) =>
      status === "rejected"
    );
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  /** Writes the intake warnings that wait. */
  stop(): Promise<void> {
    return this.#intake.stop();
  }

  async #takeOne(record: LogRecord): Promise<void> {
    // A tombstone: what it deletes in a compacted topic has been taken in.
    if (record.value.byteLength === 0) return;
    const fault = await this.#published(record).catch((error) => this.#faultOf(error, record));
    if (fault === null) return;
    const { topic } = this.context.config.openlineage.kafka;
    await deadLetter(this.context, { topic, record, ...fault }, openlineageDeadLetters);
  }

  /** What of the record is not published; null when all of it is. */
  async #published(record: LogRecord): Promise<Fault | null> {
    const result = this.#evaluate(record.value);
    if ("reason" in result) return result;
    const given = record.headers[eventHeaders.traceparent] ?? "";
    const { refused } = await this.#intake.take(result.events, {
      receivedAt: this.context.clock.now(),
      traceparent: traceparentForm.test(given) ? given : undefined,
    });
    if (refused.length === 0) return null;
    const details = refused.slice(0, maxNamed).map(({ index, refused }) => ({
      field: `[${index}]`,
      message: refusalText(refused),
    }));
    return { reason: "not_an_event", message: details[0]!.message, details };
  }

  #evaluate(value: Uint8Array): { events: EventResult[] } | Fault {
    if (value.byteLength > maxRecordBytes) {
      const message = `a record is larger than ${maxRecordBytes} bytes`;
      return this.#unreadable("record_too_large", message);
    }
    try {
      const { slices } = eventSlices(value, { lines: false });
      return { events: slices.map(({ from, to }) => evaluateEvent(value.subarray(from, to))) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return this.#unreadable("not_json", error.message);
    }
  }

  #unreadable(reason: string, message: string): Fault {
    this.#intake.account.unreadable(message);
    return { reason, message, details: [] };
  }

  /** Rethrows what is worth another delivery. */
  #faultOf(error: unknown, record: LogRecord): Fault {
    if (error instanceof PermanentError) {
      this.#intake.account.unreadable(error.message);
      return { reason: error.reason, message: error.message, details: error.details };
    }
    if (error instanceof AppError || this.#failures.count(record) < maxFailures) throw error;
    this.#intake.account.unreadable("a record failed again and again");
    return { reason: "internal_error", message: messageOf(error), details: [] };
  }
}

/** Limits on records of the Kafka topic of `openlineage.kafka`. */
export const kafkaSourceLimits: Limit[] = [
  limit(
    "topic of openlineage.kafka",
    "record, bytes",
    maxRecordBytes,
    "dead letter record_too_large",
  ),
];
