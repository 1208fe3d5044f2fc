import type { Context } from "#platform/context.ts";
import { AlertEventRecord } from "#contract/alerts.ts";
import { alertEventHeaders, alertEventVersion } from "#contract/topics.ts";
import type { LogRecord } from "#eventlog/port.ts";
import { recordBatches } from "#eventlog/records.ts";
import { FailureCounter } from "#eventlog/in-flight.ts";
import { AppError, messageOf, PermanentError } from "#kit/errors.ts";
import { classify } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import type { MessageBuilder } from "#services/notifier/content/message-builder.ts";
import { GraphDown } from "#services/notifier/content/reach.ts";
import type { MessageDraft, Policy, UpstreamByChange } from "#services/notifier/policy/decision.ts";
import type { DeliveryMetrics } from "./metrics.ts";
import { type DecidedMessage, knownChanges, noteQuarantined, type Route, store } from "./store.ts";

interface DeliveryPlannerOptions extends Pick<Context, "db" | "log" | "clock"> {
  messageBuilder: MessageBuilder;
  policy: Policy;
  routes: Route[];
  /** Sends a record without a possible message to the dead letters, with the reason. */
  deadLetter: (record: LogRecord, error: PermanentError) => Promise<void>;
  metrics: DeliveryMetrics;
  /** Milliseconds that changes wait for a graph that does not answer. */
  graphMaxWaitMs?: number;
}

interface ReadRecord {
  record: LogRecord;
  event: AlertEventRecord;
}

/** Failures of a record for an unknown reason, after which it is quarantined. */
const maxFailures = 8;

/** Messages made at a time, and most that one transaction stores of them; bytes are estimated. */
const composed = 100;
const maxBytes = 8 * 1024 * 1024;

/**
 * Turns changes of alerts into rows of the delivery log, once each. A change for which no message can be
 * made is quarantined with its cause, and the next ones go on. Rejects when the records should be delivered
 * again: the metadata store is down, or the graph may still come back in time.
 */
export class DeliveryPlanner {
  readonly #failures = new FailureCounter();

  constructor(private readonly options: DeliveryPlannerOptions) {}

  async take(records: LogRecord[]): Promise<void> {
    const read: ReadRecord[] = [];
    const unreadable: [LogRecord, PermanentError][] = [];
    for (const record of records) {
      const event = decode(record);
      if (event instanceof PermanentError) unreadable.push([record, event]);
      else read.push({ record, event });
    }
    const fresh = await this.#fresh(read);
    for (let at = 0; at < fresh.length; at += composed) {
      await this.#settle(fresh.slice(at, at + composed));
    }
    // Last, since the delivery log does not know whether they were quarantined before.
    for (const [record, error] of unreadable) await this.#quarantine(record, null, error);
  }

  /** Leaves out changes that are in the delivery log already, and repetitions within the batch. */
  async #fresh(read: ReadRecord[]): Promise<ReadRecord[]> {
    if (read.length === 0) return [];
    const rows = await knownChanges(this.options.db, read.map(({ event }) => event));
    const known = new Map(rows.map((row) => [row.event_id, row]));
    const seen = new Set<number>();
    const fresh = read.filter(({ record, event }) => {
      const row = known.get(event.id);
      const isStored = row && (row.state !== "quarantined" || row.origin === originOf(record));
      if (isStored || seen.has(event.id)) return false;
      return seen.add(event.id);
    });
    this.options.metrics.change("repeated", read.length - fresh.length);
    return fresh;
  }

  /** Handles a batch; when something in it fails, its changes one by one. */
  async #settle(batch: ReadRecord[]): Promise<void> {
    try {
      await this.#plan(batch);
    } catch (error) {
      const refusal = this.#refusalOf(error, batch[0]!.record);
      if (!refusal) throw error;
      if (batch.length > 1) { for (const one of batch) await this.#settle([one]); }
      else await this.#quarantine(batch[0]!.record, batch[0]!.event, refusal);
    }
  }

  /** The reason for which the record is quarantined; null when it should be delivered again. */
  #refusalOf(error: unknown, record: LogRecord): PermanentError | null {
    if (error instanceof PermanentError) return error;
    if (error instanceof GraphDown || error instanceof AppError && error.retryable) return null;
    const kind = classify(error);
    if (kind === "permanent") {
      const text = "the metadata store cannot hold the message";
      return new PermanentError("data_error", `${text}: ${messageOf(error)}`, [], error);
    }
    if (kind !== "unknown" || this.#failures.count(record) < maxFailures) return null;
    return new PermanentError("internal_error", messageOf(error), [], error);
  }

  async #plan(batch: ReadRecord[]): Promise<void> {
    const { policy } = this.options;
    const messages = await this.#buildMessages(batch);
    const changes: MessageDraft[] = [];
    for (const { record, event } of batch) {
      const message = messages.get(event.id)!;
      if (!(message instanceof PermanentError)) changes.push({ event, message });
      else await this.#quarantine(record, event, message);
    }
    const prepared = await policy.prepare(changes);
    const weighed = changes.map((change) => ({ change, bytes: weightOf(change) }));
    for (const some of recordBatches(weighed, { maxRecords: policy.batchSize, maxBytes })) {
      await this.#store(some.map(({ change }) => change), prepared);
    }
  }

  async #store(changes: MessageDraft[], prepared: UpstreamByChange): Promise<void> {
    const { db, policy, routes, metrics } = this.options;
    const decided = await retryingTransaction(db, async (tx) => {
      const decisions = await policy.decide(tx, changes, prepared);
      const all: DecidedMessage[] = changes.map((change, i) => ({
        ...change,
        decision: decisions[i]!,
      }));
      const stored = await store(tx, all, routes);
      // What was decided has effects on other messages, and must not have them twice.
      if (stored !== all.length) throw new Error("the changes were announced by another consumer");
      return all;
    });
    for (const { decision } of decided) metrics.change(decision.state);
  }

  async #buildMessages(batch: ReadRecord[]) {
    const { messageBuilder, clock, log, graphMaxWaitMs = 30_000 } = this.options;
    const events = batch.map(({ event }) => event);
    try {
      return await messageBuilder.build(events);
    } catch (error) {
      const waited = clock.now() - batch[0]!.record.timestamp;
      if (!(error instanceof GraphDown) || waited < graphMaxWaitMs) throw error;
      log.warn("alerts are announced without affected entities", { error: error.cause });
      return await messageBuilder.build(events, { withoutGraph: true });
    }
  }

  async #quarantine(record: LogRecord, event: AlertEventRecord | null, error: PermanentError) {
    const { db, deadLetter, metrics, log } = this.options;
    await deadLetter(record, error);
    const origin = originOf(record);
    if (event) {
      await noteQuarantined(db, event, error, origin).catch((failure) => {
        if (classify(failure) !== "permanent") throw failure;
        metrics.change("skipped");
        log.error("quarantine could not be recorded", { event: event.id, origin, error: failure });
      });
    }
    metrics.change("quarantined");
    log.warn("change of an alert quarantined", { event: event?.id, origin, error });
  }
}

function originOf({ partition, offset }: LogRecord): string {
  return `${partition}/${offset}`;
}

/** Bytes of a message, roughly. */
function weightOf({ message }: MessageDraft): number {
  const said = message.alert_chunks.reduce((sum, chunk) => sum + chunk.description.length, 0);
  return 1_000 + said + 300 * message.downstream.length;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The change in a record, or why there is none. */
function decode({ headers, value }: LogRecord): AlertEventRecord | PermanentError {
  const version = headers[alertEventHeaders.version];
  if (version !== undefined && version !== alertEventVersion) {
    return new PermanentError("unknown_version", `version ${version.slice(0, 40)} is not known`);
  }
  const body = json(value);
  if (body instanceof PermanentError) return body;
  const parsed = AlertEventRecord.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join("."),
    message,
  }));
  return new PermanentError("invalid_alert_event", "the change cannot be read", details);
}

function json(value: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(value));
  } catch (error) {
    return new PermanentError("invalid_json", `not JSON in UTF-8: ${messageOf(error)}`, [], error);
  }
}
