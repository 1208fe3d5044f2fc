import { messageOf } from "#kit/errors.ts";
import type { Counter, Gauge, Metrics } from "#kit/metrics.ts";
import type { Health } from "#kit/worker.ts";
import { classify, sqlState } from "#metadata/postgres/database.ts";
import { retainedGauge, type SlotSnapshot } from "#platform/ops/slot.ts";

/** How the reader stands, as health, metrics and logs name it. */
const readerStates = [
  "starting",
  "standby",
  "catching_up",
  "reading",
  "slot_lost",
  "publication_missing",
  "slot_foreign",
  "wal_level",
  "missing_privilege",
  "no_free_slot",
  "no_free_sender",
  "database_down",
  "event_log_down",
  "overloaded",
  "failed",
  "stopped",
] as const;
type ReaderState = (typeof readerStates)[number];

/** Why the reader cannot read, and what an operator does about it. */
export class ReaderProblem extends Error {
  constructor(
    readonly state: ReaderState,
    message: string,
    readonly repair?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = "ReaderProblem";
  }
}

/** A failure to write to the event log; nothing was confirmed, so it is repeated. */
export class EventLogFailure extends Error {
  constructor(cause: unknown) {
    super(`the event log does not take changes of alerts: ${messageOf(cause)}`, { cause });
    this.name = "EventLogFailure";
  }
}

const needsLogical = "ALTER SYSTEM SET wal_level = logical; then restart PostgreSQL";

export function walLevelProblem(level: string): ReaderProblem {
  const message =
    `wal_level of PostgreSQL is ${level}; notifications read changes of alerts from a ` +
    "logical write-ahead log";
  return new ReaderProblem("wal_level", message, needsLogical);
}

/** SQLSTATEs of slots and senders (PostgreSQL manual, appendix A). */
const bySqlState = new Map(Object.entries<(message: string) => ReaderProblem>({
  "42501": (message) =>
    new ReaderProblem(
      "missing_privilege",
      `the database role may not do that: ${message}`,
      /publication|database|owner/.test(message)
        ? "GRANT CREATE ON DATABASE <database> TO <role>; the role must own the table alert_event"
        : "ALTER ROLE <role> WITH REPLICATION",
    ),
  "53400": (message) =>
    new ReaderProblem(
      "no_free_slot",
      `the server has no replication slot left: ${message}`,
      "ALTER SYSTEM SET max_replication_slots = <more>; then restart PostgreSQL; or drop one that " +
        "nobody needs: SELECT pg_drop_replication_slot('<name>')",
    ),
  "53300": (message) =>
    new ReaderProblem(
      "no_free_sender",
      `the server takes no further connection: ${message}`,
      "ALTER SYSTEM SET max_wal_senders = <more> (or max_connections); then restart PostgreSQL",
    ),
  "55006": () => new ReaderProblem("standby", "another process reads the slot"),
}));

/** What an error of any part means for the reader. */
export function problemOf(error: unknown): ReaderProblem {
  if (error instanceof ReaderProblem) return error;
  const message = messageOf(error);
  if (error instanceof EventLogFailure) {
    return new ReaderProblem("event_log_down", message, undefined, error);
  }
  const state = sqlState(error) ?? sqlState((error as { cause?: unknown } | null)?.cause) ?? "";
  const known = bySqlState.get(state);
  if (known) return known(message);
  if (state === "55000" && /wal_level/.test(message)) return walLevelProblem("not logical");
  if (state === "55000") return new ReaderProblem("slot_lost", message, undefined, error);
  if (state === "42704") {
    const what = /publication/.test(message) ? "publication_missing" : "slot_lost";
    return new ReaderProblem(what, message, undefined, error);
  }
  const down = classify(error) === "pause" || /^replication/.test(message);
  return new ReaderProblem(down ? "database_down" : "failed", message, undefined, error);
}

const walStatuses = ["reserved", "extended", "unreserved", "lost", "missing"];

export class ReaderStatusReporter {
  #state: ReaderState = "starting";
  #cause: string | undefined;
  #snapshot: SlotSnapshot | undefined;
  #last: number | undefined;
  readonly #states: Gauge;
  readonly #wal: Gauge;
  readonly #lag: Gauge;
  readonly #retained: Gauge;
  readonly #published: Counter;
  readonly #lastAt: Gauge;
  readonly #quarantined: Counter;
  readonly #reconnects: Counter;

  constructor(metrics: Metrics) {
    const gauge = metrics.gauge.bind(metrics);
    const counter = metrics.counter.bind(metrics);
    this.#states = gauge("tributary_notifier_reader_state", "1 for the state of the slot reader", [
      "state",
    ]);
    this.#wal = gauge(
      "tributary_notifier_slot_wal_status",
      "1 for what PostgreSQL says of the log that the slot needs",
      ["status"],
    );
    this.#lag = gauge("tributary_notifier_slot_lag_bytes", "Log written and not confirmed");
    this.#retained = retainedGauge(metrics);
    this.#published = counter(
      "tributary_notifier_events_published_total",
      "Changes of alerts put into the event log, by where they were read: stream or table",
      ["source"],
    );
    this.#lastAt = gauge(
      "tributary_notifier_last_published_event_timestamp_seconds",
      "Time of the change of an alert that was published last",
    );
    this.#quarantined = counter(
      "tributary_notifier_events_quarantined_total",
      "Changes of alerts that could not be announced, by reason",
      ["reason"],
    );
    this.#reconnects = counter(
      "tributary_notifier_reader_reconnects_total",
      "Runs of the slot reader that ended in a problem, by its name",
      ["state"],
    );
    this.setState("starting");
  }

  get state(): ReaderState {
    return this.#state;
  }

  setState(state: ReaderState, cause?: string): void {
    this.#state = state;
    this.#cause = cause;
    for (const each of readerStates) this.#states.set({ state: each }, each === state ? 1 : 0);
  }

  observed(snapshot: SlotSnapshot): void {
    this.#snapshot = snapshot;
    const status = snapshot.slot?.walStatus ?? (snapshot.slot ? "reserved" : "missing");
    for (const each of walStatuses) this.#wal.set({ status: each }, each === status ? 1 : 0);
    this.#lag.set({}, snapshot.slot?.lagBytes ?? 0);
    this.#retained.set({}, snapshot.slot?.retainedBytes ?? 0);
  }

  published(batch: { id: number; at: number }[], source: "stream" | "table"): void {
    const last = batch.at(-1);
    if (!last) return;
    this.#published.inc({ source }, batch.length);
    this.#last = last.id;
    this.#lastAt.set({}, last.at / 1_000);
  }

  quarantined(reason: string): void {
    this.#quarantined.inc({ reason });
  }

  reconnecting(state: ReaderState): void {
    this.#reconnects.inc({ state });
  }

  /** Ready when this process reads, or would as soon as the one that reads is gone. */
  health(): Health {
    const ready = ["reading", "standby", "catching_up"].includes(this.#state);
    const slot = this.#snapshot?.slot;
    const facts = [
      this.#cause,
      slot && `slot lag ${slot.lagBytes ?? 0} bytes`,
      slot && `retained ${slot.retainedBytes ?? 0} bytes`,
      slot && `WAL ${slot.walStatus ?? "reserved"}`,
      this.#snapshot && !slot && "no slot",
      this.#last !== undefined && `last published event ${this.#last}`,
    ].filter(Boolean);
    return { ready, state: this.#state, ...(facts.length > 0 && { detail: facts.join(", ") }) };
  }
}
