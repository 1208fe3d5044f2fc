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

/** A text that two edges share only when they are the same edge. */
export function keyOf({ kind, service, peer, operation, data }: Edge): string {
  const s = service ? `${service.namespace ?? "\u0001"}\0${service.name}` : "\u0001";
  const p = peer ? `${peer.kind}\0${peer.namespace ?? "\u0001"}\0${peer.name}` : "\u0001";
  const d = data
    ? `${data.system}\0${data.address ?? "\u0001"}\0${data.database ?? "\u0001"}\0${
      data.target ?? "\u0001"
    }\0${data.access}`
    : "\u0001";
  return `${kind}\0${s}\0${p}\0${operation ?? "\u0001"}\0${d}`;
}

/** A call whose two halves are known; the callee knows best what was called and how long it took. */
export function pairedCall(client: SpanFact, server: SpanFact): Observation {
  return {
    edge: {
      kind: "call",
      service: client.service,
      peer: { kind: "service", ...server.service },
      operation: server.operation ?? client.operation,
      data: null,
    },
    error: client.error || server.error,
    micros: server.durationMicros,
    clientMicros: client.durationMicros,
    serverMicros: server.durationMicros,
  };
}

/** A call by somebody who is not traced. */
export function servedCall(server: SpanFact): Observation {
  return {
    edge: {
      kind: "call",
      service: null,
      peer: { kind: "service", ...server.service },
      operation: server.operation,
      data: null,
    },
    error: server.error,
    micros: server.durationMicros,
    clientMicros: null,
    serverMicros: server.durationMicros,
  };
}

/** A call of an untraced client; null when the client does not name what it called. */
export function externalCall(client: SpanFact): Observation | null {
  if (client.peer === null) return null;
  return {
    edge: {
      kind: "call",
      service: client.service,
      peer: { kind: "host", namespace: null, name: client.peer, version: null },
      operation: client.operation,
      data: null,
    },
    error: client.error,
    micros: client.durationMicros,
    clientMicros: client.durationMicros,
    serverMicros: null,
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
