import type { DataTarget, SpanFact } from "#contract/traces.ts";

/** Where a fact stands in the log. */
export interface LogPosition {
  offset: number;
  /** Place within its record. */
  index: number;
}

/** A half that waits for the other, or a consumer for its producer. */
export interface PendingFact extends LogPosition {
  fact: SpanFact;
  deadline: number;
}

/** A client or producer that others may still refer to. */
export interface RememberedCall {
  client: SpanFact | null;
  /** Of a client whose callee has not come yet. */
  waiting: PendingFact | null;
  /** Topics of a producer. */
  targets: DataTarget[];
  deadline: number;
}

/** The key of a span for those that refer to it. */
export const spanKey = (traceId: string, spanId: string): string => traceId + spanId;

/** The key of the span that this one waits for; null of a client, which is waited for. */
export function followed(fact: SpanFact): string | null {
  if (fact.kind === "server" && fact.parentSpanId) return spanKey(fact.traceId, fact.parentSpanId);
  return fact.link ? spanKey(fact.link.traceId, fact.link.spanId) : null;
}

/** What is remembered of the spans of one partition, each for one window, in the order of its age. */
export class Memory {
  readonly waiting = new AgeOrderedMap<PendingFact, number>();
  readonly known = new AgeOrderedMap<string, RememberedCall>();
  /** Every span, by its kind and key, with the time at which it was last seen. */
  readonly seen = new AgeOrderedMap<string, number>();
  /** By the key of the span that they follow. */
  readonly #followers = new Map<string, Set<PendingFact>>();

  constructor(private readonly windowMs: number) {}

  /** Whether the span was seen within the window before `time`; from now on it was. */
  seenBefore(fact: SpanFact, time: number): boolean {
    // The second letter distinguishes the kinds.
    const key = fact.kind[1] + spanKey(fact.traceId, fact.spanId);
    const before = this.seen.get(key) !== undefined;
    this.seen.put(key, time);
    return before;
  }

  wait(fact: SpanFact, { offset, index }: LogPosition, time: number): PendingFact {
    const waiting: PendingFact = { fact, offset, index, deadline: time + this.windowMs };
    this.waiting.put(waiting, waiting.deadline);
    const key = followed(fact);
    if (key !== null) {
      const others = this.#followers.get(key);
      if (others) others.add(waiting);
      else this.#followers.set(key, new Set([waiting]));
    }
    return waiting;
  }

  /** It waits no more. */
  settle(waiting: PendingFact): void {
    this.waiting.delete(waiting);
    const key = followed(waiting.fact);
    const others = key === null ? undefined : this.#followers.get(key);
    others?.delete(waiting);
    if (others?.size === 0) this.#followers.delete(key!);
  }

  /** Those that wait for a span, in the order in which they came. */
  followersOf(key: string, kind: "server" | "consumer"): PendingFact[] {
    const found = this.#followers.get(key);
    return found ? [...found].filter(({ fact }) => fact.kind === kind) : [];
  }

  remember(key: string, known: Omit<RememberedCall, "deadline">, time: number): void {
    this.known.put(key, { ...known, deadline: time + this.windowMs });
  }

  /** Takes out the next one whose wait ends before `time`. */
  overdue(time: number): PendingFact | undefined {
    const oldest = this.waiting.oldest();
    return oldest && oldest[1] < time ? oldest[0] : undefined;
  }

  /** Forgets what is older than the window, except what waits. */
  forget(time: number): void {
    for (let old = this.known.oldest(); old && old[1].deadline < time; old = this.known.oldest()) {
      this.known.delete(old[0]);
    }
    const before = time - this.windowMs;
    for (let old = this.seen.oldest(); old && old[1] < before; old = this.seen.oldest()) {
      this.seen.delete(old[0]);
    }
  }
}

/**
 * A map whose entries are put in the order of their age, for taking the oldest ones out again. It keeps
 * one iterator: a new one each time would step over all entries that were deleted before.
 */
export class AgeOrderedMap<K, V> {
  readonly #entries = new Map<K, V>();
  #walk = this.#entries.entries();
  #oldest: [K, V] | undefined;

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keys(): Iterable<K> {
    return this.#entries.keys();
  }

  /** As the youngest, also when it was there before. */
  put(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  oldest(): [K, V] | undefined {
    for (;;) {
      const known = this.#oldest;
      if (known && this.#entries.get(known[0]) === known[1]) return known;
      const next = this.#walk.next();
      this.#oldest = next.done ? undefined : next.value;
      if (!next.done) continue;
      // Whatever the walk has passed is gone, so nothing is left.
      this.#walk = this.#entries.entries();
      return undefined;
    }
  }
}
