import type { Counter, Gauge, Metrics } from "#kit/metrics.ts";
import type { Health } from "#kit/worker.ts";
import { retainedGauge, type SlotSnapshot } from "#platform/ops/slot.ts";
import { type ReaderState, readerStates } from "./problems.ts";

const walStatuses = ["reserved", "extended", "unreserved", "lost", "missing"];

/** Reports the state of the slot reader, to health and metrics. */
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
