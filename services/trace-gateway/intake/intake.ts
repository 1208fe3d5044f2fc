import { tracesSpans } from "#contract/topics.ts";
import type { Clock } from "#kit/clock.ts";
import { AppError, PermanentError, unavailable } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import { Breather } from "#kit/turns.ts";
import type { EventLog, NewRecord } from "#eventlog/port.ts";
import { RefusedBodies } from "#platform/http/refused-bodies.ts";
import type { ResourceSpans } from "../model.ts";
import { MalformedRequest } from "../otlp/decoded.ts";
import { decodeJson } from "../otlp/json.ts";
import { protobufSteps } from "../otlp/protobuf.ts";
import { WantedKeys } from "../otlp/wanted.ts";
import { Budget, type Reservation } from "./budget.ts";
import { intakeMetrics } from "./metrics.ts";
import { Partitions } from "./partitions.ts";
import { inSteps, lotsOf, Turns } from "./turns.ts";

/** How a request came, as metrics tell it. */
export type Protocol = "http/protobuf" | "http/json" | "grpc" | "kafka";
export type Encoding = "protobuf" | "json";

/** What is made of spans; `facts/` provides it. `Fact` is its own affair. */
export interface Facts<Fact> {
  /** Attributes that have to be decoded. */
  wantedAttributes: ReadonlySet<string>;
  factsOf(spans: ResourceSpans[]): { facts: Fact[]; irrelevant: number; unreadable: number };
  /** Records of the topic of span facts, with their partitions. */
  pack(facts: Fact[], partitions: number): NewRecord[];
}

export interface IntakeOptions<Fact> {
  facts: Facts<Fact>;
  events: EventLog;
  clock: Clock;
  metrics: Metrics;
  /** Bytes of requests at work at once. */
  maxInFlight: number;
  /** Bytes of large bodies that a client may send in vain; 0: no limit. */
  maxRefusedBytes: number;
  /** Longest wait for the event log, milliseconds. */
  publishTimeoutMs: number;
}

/** What became of a request whose other spans are in the event log now. */
export interface Taken {
  /** Spans that were refused, and why the first of them was. */
  refused: number;
  reason: string | null;
}

interface Lot<Fact> {
  facts: Fact[];
  irrelevant: number;
  /** Spans that both were made of. */
  spans: number;
}

/** Bytes beyond which bodies are decoded one after another: what is made of them is several times as large. */
const largeBody = 256 * 1024;

/** Facts that are packed before whatever else waits for the event loop may have its turn. */
const packedAtOnce = 2_000;

/** The one way of spans into the event log, whatever receiver they came by. */
export class Intake<Fact = unknown> {
  readonly budget: Budget;
  readonly #wanted: WantedKeys;
  readonly #partitions: Partitions;
  readonly #count;
  readonly #turns = new Turns();
  #closed = false;

  constructor(private readonly options: IntakeOptions<Fact>) {
    const { maxInFlight, maxRefusedBytes: allowance, metrics } = options;
    this.budget = new Budget(maxInFlight, metrics, new RefusedBodies({ allowance, metrics }));
    this.#wanted = new WantedKeys(options.facts.wantedAttributes);
    this.#partitions = new Partitions(options.events, options.clock);
    this.#count = intakeMetrics(options.metrics);
  }

  /** From now on everything new is refused with 503. */
  close(): void {
    this.#closed = true;
  }

  reopen(): void {
    this.#closed = false;
  }

  /** Throws 503 once closed; receivers ask before they read a body. */
  assertOpen(): void {
    if (this.#closed) throw unavailable("The trace gateway is stopping", 1);
  }

  /**
   * Decodes a request and resolves when the facts of its spans are in the event log. Throws
   * `MalformedRequest` (do not send again) and `AppError` 503 (come again). The `reservation` is that of
   * the body; it grows when what waits for the event log is larger.
   */
  async accept(
    body: Uint8Array,
    { encoding, protocol }: { encoding: Encoding; protocol: Protocol },
    reservation: Reservation,
  ): Promise<Taken> {
    try {
      this.assertOpen();
      const decoded = () => {
        reservation.assertWelcome();
        return this.#facts(body, encoding, protocol);
      };
      const { lot, ...taken } =
        await (body.length > largeBody ? this.#turns.take(decoded) : decoded());
      await this.#store(lot, protocol, reservation);
      this.#count.request(protocol, "accepted");
      return taken;
    } catch (error) {
      this.#count.request(protocol, error instanceof MalformedRequest ? "malformed" : "refused");
      throw error;
    }
  }

  /** Counts a request that was refused before it could be decoded. */
  refusedUnread(protocol: Protocol): void {
    this.#count.request(protocol, "refused");
  }

  /** Of the decoded spans nothing is held once their facts are made. */
  async #facts(body: Uint8Array, encoding: Encoding, protocol: Protocol) {
    const breather = new Breather();
    const decoded = encoding === "json"
      ? decodeJson(body, this.#wanted)
      : await inSteps(protobufSteps(body, this.#wanted), breather);
    this.#count.received(protocol, decoded.received);
    this.#count.refused("malformed_id", decoded.refused);
    const lot: Lot<Fact> = { facts: [], irrelevant: 0, spans: 0 };
    let unreadable = 0;
    for (const some of lotsOf(decoded.resourceSpans)) {
      await breather.breathe();
      const made = this.options.facts.factsOf(some);
      for (const fact of made.facts) lot.facts.push(fact);
      lot.irrelevant += made.irrelevant;
      unreadable += made.unreadable;
    }
    this.#count.refused("unreadable", unreadable);
    const refused = decoded.refused + unreadable;
    lot.spans = decoded.received - refused;
    const reason = decoded.reason ?? (unreadable > 0 ? "a span cannot be read" : null);
    return { lot, refused, reason };
  }

  async #store(
    { facts, irrelevant, spans }: Lot<Fact>,
    protocol: Protocol,
    reservation: Reservation,
  ): Promise<void> {
    try {
      if (facts.length > 0) await this.#publish(facts, reservation);
    } catch (error) {
      this.#count.refused("event_log_unavailable", spans);
      throw error;
    }
    this.#count.dropped("irrelevant", irrelevant);
    this.#count.accepted(protocol, spans - irrelevant);
  }

  async #publish(facts: Fact[], reservation: Reservation): Promise<void> {
    const { clock, events, publishTimeoutMs } = this.options;
    const begun = clock.now();
    const partitions = await this.#partitions.count(publishTimeoutMs);
    const records = await this.#packed(facts, partitions);
    const timeoutMs = Math.max(1, publishTimeoutMs - (clock.now() - begun));
    // From here on only the records wait, however long the event log takes.
    facts.length = 0;
    reservation.weigh(records.reduce((sum, { value }) => sum + value.byteLength, 0));
    await events.publish(tracesSpans, records, { timeoutMs }).catch((error) => {
      if (error instanceof AppError || error instanceof PermanentError) throw error;
      // Whatever else befell it: an exporter that comes again loses nothing.
      throw unavailable("The event log did not take the spans", 5, error);
    });
  }

  async #packed(facts: Fact[], partitions: number): Promise<NewRecord[]> {
    const records: NewRecord[] = [];
    const breather = new Breather();
    for (let from = 0; from < facts.length; from += packedAtOnce) {
      await breather.breathe();
      records.push(...this.options.facts.pack(facts.slice(from, from + packedAtOnce), partitions));
    }
    return records;
  }
}
