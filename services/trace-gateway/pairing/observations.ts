import type { DataTarget, ServiceIdentity, SpanFact } from "#contract/traces.ts";

/** The other side of a call: a traced service, or a host that is not. */
interface Peer {
  kind: "service" | "host";
  namespace: string | null;
  name: string;
  version: string | null;
}

/** The identity of an edge. Versions are recorded for it and are no part of its identity. */
export interface Edge {
  kind: "call" | "database" | "topic";
  /** Null: a caller that is not traced. */
  service: ServiceIdentity | null;
  peer: Peer | null;
  operation: string | null;
  data: DataTarget | null;
}

/** One call, read or write over an edge. */
export interface Observation {
  edge: Edge;
  error: boolean;
  micros: number;
  /** As each side measured it; null: it is not traced, or has no part in it. */
  clientMicros: number | null;
  serverMicros: number | null;
}

/** A call whose two halves are known; the callee knows best what was called and how long it took. */
export function pairedCall(client: SpanFact, server: SpanFact): Observation {
  return call(client, server, { kind: "service", ...server.service });
}

/** A call by somebody who is not traced. */
export function servedCall(server: SpanFact): Observation {
  return call(null, server, { kind: "service", ...server.service });
}

/** A call of an untraced client; null when the client does not name what it called. */
export function externalCall(client: SpanFact): Observation | null {
  const { peer } = client;
  if (peer === null) return null;
  return call(client, null, { kind: "host", namespace: null, name: peer, version: null });
}

/** A call by the sides of it that are traced, one at least. */
function call(client: SpanFact | null, server: SpanFact | null, peer: Peer): Observation {
  return {
    edge: {
      kind: "call",
      service: client?.service ?? null,
      peer,
      operation: server?.operation ?? client?.operation ?? null,
      data: null,
    },
    error: Boolean(client?.error || server?.error),
    micros: (server ?? client)!.durationMicros,
    clientMicros: client?.durationMicros ?? null,
    serverMicros: server?.durationMicros ?? null,
  };
}

/** A read or write of one table or topic. */
export function dataUse(fact: SpanFact, data: DataTarget): Observation {
  const reads = data.kind === "topic" && data.access === "read";
  return {
    edge: { kind: data.kind, service: fact.service, peer: null, operation: null, data },
    error: fact.error,
    micros: fact.durationMicros,
    clientMicros: reads ? null : fact.durationMicros,
    serverMicros: reads ? fact.durationMicros : null,
  };
}

/** Milliseconds of one row of an edge's statistics. */
const slotMs = 60_000;

/** Calls of one minute. */
export interface Slot {
  calls: number;
  errors: number;
  /** Durations: number by bucket. */
  buckets: Map<number, number>;
}

export interface EdgeDelta {
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
  readonly deltas = new Map<string, EdgeDelta>();
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

  #delta(edge: Edge, time: number): EdgeDelta {
    const key = edgeKey(edge);
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

  #slot({ slots }: EdgeDelta, at: number): Slot {
    const known = slots.get(at);
    if (known) return known;
    this.#rows++;
    const slot = { calls: 0, errors: 0, buckets: new Map() };
    slots.set(at, slot);
    return slot;
  }
}

/** A text that two edges share only when they are the same edge. */
function edgeKey({ kind, service, peer, operation, data }: Edge): string {
  const s = service ? `${service.namespace ?? "\u0001"}\0${service.name}` : "\u0001";
  const p = peer ? `${peer.kind}\0${peer.namespace ?? "\u0001"}\0${peer.name}` : "\u0001";
  const d = data
    ? `${data.system}\0${data.address ?? "\u0001"}\0${data.database ?? "\u0001"}\0${
      data.target ?? "\u0001"
    }\0${data.access}`
    : "\u0001";
  return `${kind}\0${s}\0${p}\0${operation ?? "\u0001"}\0${d}`;
}

/** Buckets a doubling: neighbouring bounds differ by 9 %, so a quantile is off by at most 4.4 %. */
const perDoubling = 8;
const widest = Math.ceil(Math.log2(86_400_000_000) * perDoubling);

/** The bucket of a duration, 0 to 291: bucket n holds what is above 2^((n-1)/8) and up to 2^(n/8) µs. */
export function bucketOf(micros: number): number {
  if (micros <= 1) return 0;
  return Math.min(widest, Math.ceil(Math.log2(micros) * perDoubling));
}

/** The duration that stands for a bucket, as far from its bounds in proportion: microseconds. */
export function microsOf(bucket: number): number {
  const gamma = 2 ** (1 / perDoubling);
  return 2 ** (bucket / perDoubling) * 2 / (gamma + 1);
}

/**
 * The duration that a share `q` of all do not exceed, microseconds; null of none. `buckets` grow, and
 * `counts` stand next to them.
 */
export function quantile(buckets: number[], counts: number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let rank = Math.max(1, Math.ceil(q * total));
  for (const [i, bucket] of buckets.entries()) {
    rank -= counts[i]!;
    if (rank <= 0) return microsOf(bucket);
  }
  return null;
}
