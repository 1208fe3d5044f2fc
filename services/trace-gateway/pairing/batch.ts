import { type Edge, keyOf, type Observation } from "./edge.ts";
import { bucketOf } from "./sketch.ts";

/** Milliseconds of one row of an edge's statistics. */
const slotMs = 60_000;

/** Calls of one minute. */
export interface Slot {
  calls: number;
  errors: number;
  /** Durations: number by bucket. */
  buckets: Map<number, number>;
}

/** What one edge gained. */
export interface Delta {
  edge: Edge;
  calls: number;
  errors: number;
  /** Milliseconds since the epoch, by the time of the log. */
  firstSeen: number;
  lastSeen: number;
  /** By the time at which the minute begins. */
  slots: Map<number, Slot>;
}

/** What a run of records means for edges, added up before it is written. */
export class Batch {
  readonly deltas = new Map<string, Delta>();
  /** Every observation, for histograms that keep no sums of their own. */
  readonly observations: Observation[] = [];
  #rows = 0;

  /** Rows that it takes to write this down. */
  get rows(): number {
    return this.#rows;
  }

  add(observation: Observation, time: number): void {
    const delta = this.#delta(observation.edge, time);
    const error = observation.error ? 1 : 0;
    delta.calls++;
    delta.errors += error;
    delta.lastSeen = time;
    const slot = this.#slot(delta, time - time % slotMs);
    slot.calls++;
    slot.errors += error;
    const bucket = bucketOf(observation.micros);
    slot.buckets.set(bucket, (slot.buckets.get(bucket) ?? 0) + 1);
    this.observations.push(observation);
  }

  #delta(edge: Edge, time: number): Delta {
    const key = keyOf(edge);
    const known = this.deltas.get(key);
    if (known) {
      // An edge shows the newest version.
      known.edge = edge;
      return known;
    }
    const delta = { edge, calls: 0, errors: 0, firstSeen: time, lastSeen: time, slots: new Map() };
    this.deltas.set(key, delta);
    return delta;
  }

  #slot({ slots }: Delta, at: number): Slot {
    const known = slots.get(at);
    if (known) return known;
    this.#rows++;
    const slot = { calls: 0, errors: 0, buckets: new Map() };
    slots.set(at, slot);
    return slot;
  }
}
