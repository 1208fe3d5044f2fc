import { refusalDetails } from "#contract/ingestion/batch.ts";
import { isFuture } from "#contract/ingestion/frame.ts";
import type { RejectedRecord } from "#eventlog/dead-letters.ts";
import { FailureCounter } from "#eventlog/in-flight.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { type Clock, systemClock } from "#kit/clock.ts";
import { AppError, messageOf, PermanentError } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { retry } from "#kit/retry.ts";
import { classify, type Database } from "#metadata/postgres/database.ts";
import { readServerTime } from "#metadata/postgres/server-time.ts";
import type { ApplyResult, ChunkIdentity, DraftedChunk } from "./chunk.ts";
import { kindOf, type Refusal, refusalOf, refusalOfItems, refuse } from "./failures.ts";
import { RecordReader } from "./reader.ts";
import { apply, repeated } from "./stages/apply.ts";
import { chunkIdentityOf, decode, invalidItems, type ReadRecord } from "./stages/read.ts";
import { resolve } from "./stages/resolve.ts";

export interface PipelineOptions {
  db: Database;
  log: Logger;
  metrics: Metrics;
  /** Largest value of a record, in bytes. */
  maxBodyBytes: number;
  /** Reads the bytes of records; by default a new `RecordReader`. */
  reader?: RecordReader;
  deadLetter: (rejected: RejectedRecord) => Promise<void>;
  /** Called after a chunk took effect, with the ids of the transformers and datasets that it changed. */
  touched?: (ids: number[]) => void;
  clock?: Clock;
  /** Whether a batch writes only what belongs to its own data source, or to none (`auth.ingestion.filter.enabled`). */
  restricted?: boolean;
}

/** How often a chunk is started when other transactions interfere. */
const attempts = 12;

/** Failures of a record for unknown reasons after which it becomes a dead letter. */
const maxFailures = 10;

/** Failures to read a record within its time and memory after which it becomes a dead letter. */
const maxUnreadFailures = 3;

/**
 * Processes a log record in stages, so that it takes effect exactly once:
 *
 *     decode → validate → split → draft → resolve → apply        (or refuse)
 *
 * The first four only read the record (a large one in a thread); `resolve` creates shared names and
 * hollow entities in advance; `apply` is one transaction. Rejects when the record should be delivered
 * again after a pause.
 */
export class Pipeline {
  readonly #metrics;
  readonly #clock: Clock;
  readonly #reader: RecordReader;
  readonly #failures = new FailureCounter();

  constructor(private readonly options: PipelineOptions) {
    this.#metrics = ingestMetrics(options.metrics);
    this.#clock = options.clock ?? systemClock;
    this.#reader = options.reader ?? new RecordReader(options.metrics);
  }

  /** Applies or refuses one record; when it resolves, the outcome is durable. */
  async process(record: LogRecord): Promise<"applied" | "refused"> {
    const started = this.#clock.now();
    const outcome = await this.#settle(record);
    this.#metrics.took(outcome, this.#clock.now() - started);
    return outcome;
  }

  async #settle(record: LogRecord): Promise<"applied" | "refused"> {
    const found = await this.#read(record);
    if (found instanceof PermanentError) return await this.#refuseWhole(record, found);
    const { identity, content: { chunks, refused } } = found;
    const whole = chunks.length === 1 && refused.length === 0;
    let outcome: "applied" | "refused" = "applied";
    for (const { part, indexes, typeMismatches, drafted } of chunks) {
      const applied = await this.#apply(drafted, record);
      if (!(applied instanceof PermanentError)) this.#applied(applied, typeMismatches);
      else if (whole) return await this.#refuseWhole(record, applied);
      else {
        await this.#refuse(refusalOfItems({ record, identity, part, indexes }, applied));
        outcome = "refused";
      }
    }
    if (refused.length > 0) {
      const error = invalidItems(refusalDetails(refused));
      const indexes = refused.map((item) => item.index);
      const part = identity.part + chunks.length;
      await this.#refuse(refusalOfItems({ record, identity, part, indexes }, error));
    }
    return outcome;
  }

  #applied(applied: ApplyResult, typeMismatches: number): void {
    this.#metrics.applied(applied, typeMismatches);
    const [first] = applied.foreign;
    if (first) {
      const { catrn, owner } = first;
      const items = applied.foreign.length;
      this.options.log.warn("items of other data sources skipped", { items, catrn, owner });
    }
    if (applied.touched.length > 0) this.options.touched?.(applied.touched);
  }

  /** The stages that depend on the record alone: any failure would repeat, except a timeout. */
  async #read(
    record: LogRecord,
  ): Promise<
    { identity: ChunkIdentity; content: ReadRecord<() => DraftedChunk> } | PermanentError
  > {
    const now = await this.#nowFor(record);
    try {
      const identity = decode(record, this.options.maxBodyBytes, now);
      return { identity, content: await this.#reader.read(record.value, identity) };
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable) return refusalOf(error);
      if (this.#failures.count(record) < maxUnreadFailures) throw error;
      return new PermanentError("too_costly", error.message, [], error);
    }
  }

  /** By the clock of PostgreSQL where ours says that the record comes from the future: ours may be behind. */
  async #nowFor(record: LogRecord): Promise<number> {
    const now = this.#clock.now();
    return isFuture(record, now) ? await readServerTime(this.options.db) : now;
  }

  async #apply(
    drafted: () => DraftedChunk,
    record: LogRecord,
  ): Promise<ApplyResult | PermanentError> {
    const { db, log } = this.options;
    try {
      const chunk = drafted();
      return await retry(async () => {
        const resolved = await resolve(chunk, db, this.options.restricted);
        return resolved ? await apply(resolved, db) : repeated();
      }, {
        attempts,
        initial: 10,
        max: 1_000,
        retryable: (error) => kindOf(error) === "retry",
        onRetry: (error, attempt) =>
          log.debug("chunk is retried", { ...chunk.identity, attempt, error: messageOf(error) }),
        clock: this.#clock,
      });
    } catch (error) {
      const kind = kindOf(error);
      const isFinal = kind === "refuse" || classify(error) === "permanent" ||
        kind === "unknown" && this.#failures.count(record) >= maxFailures;
      if (isFinal) return refusalOf(error);
      throw error;
    }
  }

  async #refuseWhole(record: LogRecord, error: PermanentError): Promise<"refused"> {
    const identity = chunkIdentityOf(record, this.#clock.now());
    await this.#refuse({ record, identity, value: record.value, error });
    this.#metrics.refusedChunk();
    return "refused";
  }

  async #refuse(refusal: Refusal): Promise<void> {
    const { identity: { batch, part }, error } = refusal;
    const { log } = this.options;
    const unnoted = (error: unknown) => {
      this.#metrics.unnotedRefusal();
      log.error("refusal could not be recorded", { batch, part, error });
    };
    await refuse(refusal, { ...this.options, unnoted });
    this.#metrics.refused(error.reason);
    const cause = error.cause === undefined ? {} : { error: error.cause };
    log.warn("chunk refused", { batch, part, reason: error.reason, ...cause });
  }
}

/** Counts what the consumer does. */
function ingestMetrics(metrics: Metrics) {
  const chunks = metrics.counter(
    "tributary_ingest_parts_total",
    "Parts of batches, by outcome: applied, repeated (no further effect) or refused",
    ["outcome"],
  );
  const items = metrics.counter(
    "tributary_ingest_items_total",
    "Entities and runs of applied parts, by their effect on the catalogue",
    ["result"],
  );
  const mismatches = metrics.counter(
    "tributary_ingest_misfits_total",
    "Entities and runs of applied parts whose content does not match their type; the content was used",
  );
  const alerts = metrics.counter(
    "tributary_ingest_alerts_total",
    "Alerts that applied parts changed: created, stacked (an open one gained text) or resolved",
    ["change"],
  );
  const duration = metrics.histogram(
    "tributary_ingest_part_duration_seconds",
    "Time from receiving a record to its outcome",
    ["outcome"],
  );
  const deadLetters = metrics.counter(
    "tributary_ingest_dead_letters_total",
    "Records or items written to the dead letters, by reason",
    ["reason"],
  );
  const unnoted = metrics.counter(
    "tributary_ingest_refusals_skipped_total",
    "Rejections whose outcome could not be stored; the dead letter was written",
  );
  return {
    /** Counts a chunk; its `typeMismatches` count only when it took effect, not when it is repeated. */
    applied(chunk: ApplyResult, typeMismatches: number): void {
      chunks.inc({ outcome: chunk.effect ? "applied" : "repeated" });
      if (chunk.effect && typeMismatches > 0) mismatches.inc({}, typeMismatches);
      for (const [result, count] of Object.entries(chunk.counts)) {
        if (count > 0) items.inc({ result }, count);
      }
      for (const [change, count] of Object.entries(chunk.alerts)) {
        if (count > 0) alerts.inc({ change }, count);
      }
    },
    refused: (reason: string) => deadLetters.inc({ reason }),
    unnotedRefusal: () => unnoted.inc(),
    refusedChunk: () => chunks.inc({ outcome: "refused" }),
    took: (outcome: "applied" | "refused", ms: number) => duration.observe({ outcome }, ms / 1_000),
  };
}
