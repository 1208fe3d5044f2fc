import type { SpanFact } from "#contract/traces.ts";

/** Calls and errors by the text of their edge, as the cases of `test/cases/traces` write it. */
export type EdgeTotals = Record<string, { calls: number; errors: number }>;

/**
 * The edges of facts of which every two that belong together came in time, in one pass over all of them
 * and without any of the machinery under test: no window, no order, no record. A span counts once.
 */
export function referenceTotals(facts: SpanFact[]): EdgeTotals {
  const distinct = new Map(facts.map((fact) => [`${fact.kind} ${idOf(fact)}`, fact]));
  const spans = new Map([...distinct.values()].map((fact) => [`${fact.kind} ${idOf(fact)}`, fact]));
  const totals: EdgeTotals = {};
  const count = (text: string, error: boolean) => {
    const total = totals[text] ??= { calls: 0, errors: 0 };
    total.calls++;
    total.errors += error ? 1 : 0;
  };
  const served = new Set<SpanFact>();
  for (const fact of spans.values()) {
    if (fact.targets.length > 0) {
      for (const target of fact.targets) count(useText(fact, target), fact.error);
    } else if (fact.kind === "server") {
      const parent = `client ${fact.traceId} ${fact.parentSpanId}`;
      const client = spans.get(parent);
      if (client && client.targets.length === 0) served.add(client);
      const caller = client && client.targets.length === 0 ? nameOf(client) : "?";
      const operation = fact.operation ?? client?.operation ?? "";
      const error = fact.error || (caller !== "?" && client!.error);
      count(`${caller} -> ${nameOf(fact)} ${operation}`.trim(), error);
    } else if (fact.kind === "consumer" && fact.link) {
      const producer = spans.get(`producer ${fact.link.traceId} ${fact.link.spanId}`);
      for (const target of producer?.targets ?? []) {
        count(useText(fact, { ...target, access: "read" }), fact.error);
      }
    }
  }
  for (const fact of spans.values()) {
    const lonely = fact.kind === "client" && fact.targets.length === 0 && !served.has(fact);
    if (lonely && fact.peer !== null) {
      count(`${nameOf(fact)} -> [${fact.peer}] ${fact.operation ?? ""}`.trim(), fact.error);
    }
  }
  return totals;
}

function idOf({ traceId, spanId }: SpanFact): string {
  return `${traceId} ${spanId}`;
}

function nameOf({ service: { namespace, name } }: SpanFact): string {
  return namespace === null ? name : `${namespace}/${name}`;
}

function useText(fact: SpanFact, target: SpanFact["targets"][number]): string {
  const { kind, system, address, database, access } = target;
  const place = kind === "topic"
    ? `topic ${system} ${address ?? "-"}`
    : `${system} ${address ?? "-"} ${database ?? "-"}`;
  return `${nameOf(fact)} ${access}s ${place} ${target.target ?? "-"}`;
}
