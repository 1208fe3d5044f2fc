import { parseLeniently } from "#contract/openlineage/json.ts";
import { FailureCounter } from "#eventlog/in-flight.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { AppError, messageOf, unavailable } from "#kit/errors.ts";
import { EventLoopYielder } from "#kit/event-loop.ts";
import { type Limit, limit } from "#kit/limits.ts";
import type { Worker } from "#kit/worker.ts";
import { IntakeWarnings } from "#metadata/openlineage/intake-warnings.ts";
import type { Context } from "#platform/context.ts";
import { type ReadProposals, readProposals } from "#platform/datahub/proposals.ts";
import { maxSchema, maxSchemas, registeredSchema } from "#platform/datahub/schemas.ts";
import { AspectAccount, AspectStore } from "#platform/datahub/store.ts";
import { objectOf, textOf } from "#platform/datahub/values.ts";
import { ForeignTopic } from "#platform/foreign-topic.ts";
import { AvroError, type AvroReader, avroReader, maxDepth, maxElements } from "./avro.ts";

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

/** Largest record that is read, bytes; Kafka sinks of DataHub send 5 MB. */
const maxRecordBytes = 20 * 1_048_576;
/** Failures of a record for an unknown reason, after which it is left out. */
const maxFailures = 8;
/** What a record in Avro begins with, before the four bytes of its schema's id. */
const avroMark = 0;
const avroHeaderBytes = 5;

/** Stores the proposals of foreign records. One that cannot be read costs itself, and is listed as rejected. */
class ForeignRecords {
  readonly #store: AspectStore;
  readonly #account: AspectAccount;
  readonly #warnings: IntakeWarnings;
  readonly #registry: SchemaRegistry;
  readonly #failures = new FailureCounter();

  constructor(
    private readonly context: Pick<Context, "db" | "clock" | "metrics" | "log" | "config">,
  ) {
    this.#store = new AspectStore(context);
    this.#warnings = new IntakeWarnings(context);
    this.#account = new AspectAccount(context.metrics, this.#warnings);
    this.#registry = new SchemaRegistry(context);
  }

  /** Resolves once every record is stored or rejected. Rejects when they should be delivered again. */
  async take(records: LogRecord[]): Promise<void> {
    await this.#store.requireCapacity();
    const all: ReadProposals = { accepted: [], deletions: [], rejected: [] };
    const yielder = new EventLoopYielder();
    for (const record of records) {
      await yielder.yieldWhenDue();
      // A tombstone: what it deletes in a compacted topic has been taken in.
      if (record.value.byteLength === 0) continue;
      const read = await this.#readOne(record);
      if (!read) continue;
      all.accepted.push(...read.accepted);
      all.deletions.push(...read.deletions);
      all.rejected.push(...read.rejected);
    }
    await this.#storeAll(all);
  }

  async #storeAll(read: ReadProposals): Promise<void> {
    const { accepted } = read;
    try {
      await this.#store.store(read);
      this.#account.accepted(read);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // There are more entities than may be stored: those that are known are stored all the same.
      if (accepted.length > 1) {
        for (const one of accepted) {
          await this.#storeAll({ accepted: [one], deletions: [], rejected: [] });
        }
      } else {
        const reason = messageOf(error);
        const rejected = accepted.map(({ urn, aspect }) => ({ urn, aspect, reason }));
        this.#account.rejected({ rejected });
      }
    }
    this.#account.rejected(read);
  }

  /** Writes the warnings that wait. */
  async stop(): Promise<void> {
    await this.#warnings.flush();
  }

  async #readOne(record: LogRecord): Promise<ReadProposals | undefined> {
    try {
      const value = await this.#valueOf(record.value);
      const receivedAt = Math.min(record.timestamp, this.context.clock.now());
      return readProposals([value], receivedAt);
    } catch (error) {
      const isRetryable = error instanceof AppError && error.status >= 500;
      if (isRetryable) throw error;
      const isKnown = error instanceof AppError || error instanceof AvroError;
      if (!isKnown && this.#failures.count(record) < maxFailures) throw error;
      const { topic, partition, offset } = record;
      const reason = isKnown ? messageOf(error) : "the record failed again and again";
      this.context.log.warn("DataHub record skipped", { topic, partition, offset, reason });
      this.#account.unreadable(topic, reason);
      return undefined;
    }
  }

  async #valueOf(bytes: Uint8Array): Promise<unknown> {
    if (bytes.byteLength > maxRecordBytes) {
      throw new AvroError(`the record is larger than ${maxRecordBytes} bytes`);
    }
    if (bytes[0] !== avroMark) return objectOf(parseLeniently(bytes));
    if (bytes.byteLength < avroHeaderBytes) throw new AvroError("the value is cut off");
    const id = new DataView(bytes.buffer, bytes.byteOffset).getInt32(1);
    const reader = await this.#registry.readerOf(id);
    return reader(bytes.subarray(avroHeaderBytes));
  }
}

/** Milliseconds that a registry may take. */
const registryTimeoutMs = 10_000;
/** Maximum number of schemas whose readers are cached. */
const maxReaders = 100;

/** Readers of records, by the schemas that they name; of the registry that is configured, else of this server. */
class SchemaRegistry {
  readonly #readers = new Map<number, AvroReader>();

  constructor(private readonly deps: Pick<Context, "config" | "db">) {}

  /** The reader of a schema. Throws an `AvroError` for an unknown one, 503 when the registry does not answer. */
  async readerOf(id: number): Promise<AvroReader> {
    const known = this.#readers.get(id);
    if (known) return known;
    const text = await this.#textOf(id);
    if (text === undefined) throw new AvroError("the schema registry does not know its schema");
    if (this.#readers.size >= maxReaders) this.#readers.clear();
    const reader = avroReader(text);
    this.#readers.set(id, reader);
    return reader;
  }

  async #textOf(id: number): Promise<string | undefined> {
    const { url, username, password } = this.deps.config.datahub["schema-registry"];
    if (!url) return await registeredSchema(this.deps.db, id);
    const base = url.endsWith("/") ? url : `${url}/`;
    const response = await fetch(new URL(`schemas/ids/${id}`, base), {
      headers: username ? { authorization: `Basic ${btoa(`${username}:${password ?? ""}`)}` } : {},
      redirect: "error",
      signal: AbortSignal.timeout(registryTimeoutMs),
    }).catch((error: unknown) => {
      throw unavailable("The schema registry of DataHub does not answer", 10, error);
    });
    if (response.status === 404) return undefined;
    const body = await response.text();
    if (!response.ok || body.length > maxSchema) {
      throw unavailable(`The schema registry of DataHub answers ${response.status}`, 10);
    }
    return textOf(objectOf(JSON.parse(body))?.schema);
  }
}

const kafkaTopic = "topic of datahub.kafka";
const listedAsRejected = "listed as rejected, and left out";

/** Limits on records of the Kafka topic of `datahub.kafka`. */
export const datahubKafkaLimits: Limit[] = [
  limit(kafkaTopic, "record, bytes", maxRecordBytes, listedAsRejected),
  limit(kafkaTopic, "nesting of a value and of its schema", maxDepth, listedAsRejected),
  limit(kafkaTopic, "elements of one list of a record", maxElements, listedAsRejected),
  limit("POST /integrations/datahub/schema-registry/*", "schema, UTF-16 units", maxSchema, "422"),
  limit("POST /integrations/datahub/schema-registry/*", "schemas", maxSchemas, "422"),
];
