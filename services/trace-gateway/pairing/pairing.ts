import type { DataTarget, SpanFact } from "#contract/traces.ts";
import {
  type LogPosition,
  Memory,
  type PendingFact,
  type RememberedCall,
  spanKey,
} from "./memory.ts";
import { dataUse, externalCall, type Observation, pairedCall, servedCall } from "./observations.ts";

export const accounts = [
  "read",
  /** Calls with both halves. */
  "paired",
  /** Facts that make edges without a partner, a second callee of one client included. */
  "standalone",
  /** Halves whose other one did not come in time; they still make what edge they can. */
  "expired",
  /** Spans that an exporter sent again while they were remembered. */
  "duplicate",
  /** Facts that make no edge at all. */
  "irrelevant",
  "waiting",
] as const;

/**
 * Facts of spans by what became of them. At every checkpoint
 * `read = 2 × paired + standalone + expired + duplicate + irrelevant + waiting`.
 */
export type SpanAccounting = Record<(typeof accounts)[number], number>;

export function noAccounting(): SpanAccounting {
  return Object.fromEntries(accounts.map((name) => [name, 0])) as SpanAccounting;
}

export interface PairingOptions {
  /** Milliseconds that a half waits, and that a span is remembered after it was last seen. */
  windowMs: number;
  /** Maximum number of spans that wait; beyond it the oldest expire. */
  maxWaiting: number;
}

type Sink = (observation: Observation) => void;

/** Entries that were evicted early because there were too many. */
export interface Overflow {
  waiting: number;
  /** Spans forgotten early: what is sent again then counts again. */
  seen: number;
}

/**
 * Pairs the facts of one partition, record by record. Every decision follows from the records
 * alone, their order and their times in the log, never from a clock of this process or of a span.
 *
 * A repeated span is a duplicate if it was last seen within the window; later it counts
 * as another one. A half that comes too late for its partner counts as a single, like one without.
 */
export class SpanPairer {
  readonly #memory: Memory;
  #time: number;
  #counts = noAccounting();
  readonly overflow: Overflow = { waiting: 0, seen: 0 };

  constructor(private readonly options: PairingOptions, time: number) {
    this.#memory = new Memory(options.windowMs);
    this.#time = time;
  }

  /** Greatest time of a record so far, milliseconds since the epoch. */
  get time(): number {
    return this.#time;
  }

  get waitingCount(): number {
    return this.#memory.waiting.size;
  }

  /** Those that wait, oldest first. */
  waiting(): Iterable<PendingFact> {
    return this.#memory.waiting.keys();
  }

  /** The accounts of facts since the last call; `waiting` is the difference. */
  takeCounts(): SpanAccounting {
    const counts = this.#counts;
    this.#counts = noAccounting();
    return counts;
  }

  /** Moves the time on; what has waited for longer than the window expires. */
  advance(time: number, sink: Sink): void {
    if (time <= this.#time) return;
    this.#time = time;
    const memory = this.#memory;
    for (let late = memory.overdue(time); late; late = memory.overdue(time)) {
      this.#expire(late, sink);
    }
    memory.forget(time);
  }

  add(fact: SpanFact, place: LogPosition, sink: Sink): void {
    this.#counts.read++;
    if (this.#memory.seenBefore(fact, this.#time)) this.#counts.duplicate++;
    else if (fact.targets.length > 0) this.#touch(fact, sink);
    else if (fact.kind === "client") this.#client(fact, place, sink);
    else if (fact.kind === "server") this.#server(fact, place, sink);
    else if (fact.kind === "consumer" && fact.link) this.#consumer(fact, fact.link, place, sink);
    else this.#counts.irrelevant++;
    this.#bound(sink);
  }

  /**
   * Restores a fact that was counted before, without counting it again. `waits`: whether it was
   * still waiting when its worker wrote it down.
   */
  restore(fact: SpanFact, place: LogPosition, waits: boolean): void {
    const isRepeated = this.#memory.seenBefore(fact, this.#time);
    const waiting = waits ? this.#memory.wait(fact, place, this.#time) : null;
    if (isRepeated && !waits) return;
    if (fact.kind === "producer") this.#remember(fact, { targets: fact.targets });
    else if (fact.kind === "client" && fact.targets.length === 0) {
      this.#remember(fact, { client: fact, waiting });
    }
  }

  /** Counts facts that waited and are not in the log any more as expired. */
  lost(count: number): void {
    this.#counts.expired += count;
    this.#counts.waiting -= count;
  }

  #touch(fact: SpanFact, sink: Sink): void {
    this.#counts.standalone++;
    for (const target of fact.targets) sink(dataUse(fact, target));
    if (fact.kind !== "producer") return;
    this.#remember(fact, { targets: fact.targets });
    const key = spanKey(fact.traceId, fact.spanId);
    for (const consumer of this.#memory.followersOf(key, "consumer")) {
      this.#settle(consumer);
      this.#counts.standalone++;
      consumed(consumer.fact, fact.targets, sink);
    }
  }

  #client(fact: SpanFact, place: LogPosition, sink: Sink): void {
    let paired = false;
    const key = spanKey(fact.traceId, fact.spanId);
    for (const server of this.#memory.followersOf(key, "server")) {
      this.#settle(server);
      if (paired) this.#counts.standalone++;
      else this.#counts.paired++;
      paired = true;
      sink(pairedCall(fact, server.fact));
    }
    this.#remember(fact, { client: fact, waiting: paired ? null : this.#wait(fact, place) });
  }

  #server(fact: SpanFact, place: LogPosition, sink: Sink): void {
    if (fact.parentSpanId === null) {
      this.#counts.standalone++;
      return sink(servedCall(fact));
    }
    const known = this.#memory.known.get(spanKey(fact.traceId, fact.parentSpanId));
    if (!known?.client) return void this.#wait(fact, place);
    if (known.waiting) {
      this.#settle(known.waiting);
      known.waiting = null;
      this.#counts.paired++;
    } else this.#counts.standalone++;
    sink(pairedCall(known.client, fact));
  }

  #consumer(
    fact: SpanFact,
    link: { traceId: string; spanId: string },
    place: LogPosition,
    sink: Sink,
  ): void {
    const known = this.#memory.known.get(spanKey(link.traceId, link.spanId));
    if (!known || known.targets.length === 0) return void this.#wait(fact, place);
    this.#counts.standalone++;
    consumed(fact, known.targets, sink);
  }

  #remember(fact: SpanFact, known: Partial<RememberedCall>): void {
    const key = spanKey(fact.traceId, fact.spanId);
    this.#memory.remember(key, { client: null, waiting: null, targets: [], ...known }, this.#time);
  }

  #wait(fact: SpanFact, place: LogPosition): PendingFact {
    this.#counts.waiting++;
    return this.#memory.wait(fact, place, this.#time);
  }

  #settle(waiting: PendingFact): void {
    this.#counts.waiting--;
    this.#memory.settle(waiting);
  }

  #expire(waiting: PendingFact, sink: Sink): void {
    const { fact } = waiting;
    this.#settle(waiting);
    this.#counts.expired++;
    if (fact.kind === "client") {
      this.#memory.known.delete(spanKey(fact.traceId, fact.spanId));
      const call = externalCall(fact);
      if (call) sink(call);
    } else if (fact.kind === "server") sink(servedCall(fact));
  }

  #bound(sink: Sink): void {
    const { maxWaiting } = this.options;
    const { waiting, known, seen } = this.#memory;
    while (waiting.size > maxWaiting) {
      this.overflow.waiting++;
      this.#expire(waiting.oldest()![0], sink);
    }
    while (known.size > 2 * maxWaiting) {
      const [key, oldest] = known.oldest()!;
      if (oldest.waiting) this.#expire(oldest.waiting, sink);
      known.delete(key);
      this.overflow.waiting++;
    }
    while (seen.size > 2 * maxWaiting) {
      this.overflow.seen++;
      seen.delete(seen.oldest()![0]);
    }
  }
}

function consumed(fact: SpanFact, targets: DataTarget[], sink: Sink): void {
  for (const target of targets) sink(dataUse(fact, { ...target, access: "read" }));
}
