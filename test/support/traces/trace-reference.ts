import type { SpanFact } from "#contract/traces.ts";

/** Calls and errors by the text of their edge, as the cases of `test/cases/traces` write it. */
export type EdgeTotals = Record<string, { calls: number; errors: number }>;

/** A fact, and the time of its partition when it came, milliseconds. */
export interface TimedFact {
  fact: SpanFact;
  at: number;
}

export interface Reference {
  totals: EdgeTotals;
  accounts: {
    read: number;
    paired: number;
    standalone: number;
    expired: number;
    duplicate: number;
    irrelevant: number;
    waiting: number;
  };
}

/** The edges of facts of which every two that belong together came in time. A span counts once. */
export function referenceTotals(facts: SpanFact[]): EdgeTotals {
  return reference(facts.map((fact) => ({ fact, at: 0 })), { windowMs: 1, until: 10 }).totals;
}

/**
 * What the facts of one partition come to, by comparing each with all others and without any of the
 * machinery under test: no memory that forgets, no order but that of times, no checkpoint. `until` is
 * the time of the partition in the end; what still waits then makes no edge yet.
 */
export function reference(
  facts: TimedFact[],
  { windowMs, until }: { windowMs: number; until: number },
): Reference {
  const { spans, duplicate } = distinct(facts, windowMs);
  const { totals, accounts, count } = tally();
  accounts.read = facts.length;
  accounts.duplicate = duplicate;
  const partner = (kind: string, traceId: string, spanId: string, at: number) =>
    spans.get(`${kind} ${traceId} ${spanId}`)?.find((other) => Math.abs(other.at - at) <= windowMs);
  const lonely = ({ at }: TimedFact) => {
    const over = at + windowMs < until;
    accounts[over ? "expired" : "waiting"]++;
    return over;
  };
  const served = new Set<TimedFact>();
  for (const span of [...spans.values()].flat()) {
    const { fact, at } = span;
    if (fact.targets.length > 0) {
      accounts.standalone++;
      for (const target of fact.targets) count(useText(fact, target), fact.error);
    } else if (fact.kind === "server") {
      const parent = fact.parentSpanId;
      const found = parent === null ? undefined : partner("client", fact.traceId, parent, at);
      const client = found?.fact.targets.length === 0 ? found : undefined;
      if (client) accounts[served.has(client) ? "standalone" : "paired"]++;
      else if (parent === null) accounts.standalone++;
      else if (!lonely(span)) continue;
      if (client) served.add(client);
      count(callText(client?.fact, fact), fact.error || (client?.fact.error ?? false));
    } else if (fact.kind === "consumer" && fact.link) {
      const producer = partner("producer", fact.link.traceId, fact.link.spanId, at)?.fact;
      if (producer?.targets.length) accounts.standalone++;
      else lonely(span);
      for (const target of producer?.targets ?? []) {
        count(useText(fact, { ...target, access: "read" }), fact.error);
      }
    } else if (fact.kind !== "client") accounts.irrelevant++;
  }
  for (const span of [...spans.values()].flat()) {
    const { fact } = span;
    if (fact.kind !== "client" || fact.targets.length > 0 || served.has(span)) continue;
    if (lonely(span) && fact.peer !== null) {
      count(`${nameOf(fact)} -> [${fact.peer}] ${fact.operation ?? ""}`.trim(), fact.error);
    }
  }
  return { totals, accounts };
}

/** Spans by kind and id; one that is repeated while the last time is in the window is the same. */
function distinct(facts: TimedFact[], windowMs: number) {
  const spans = new Map<string, TimedFact[]>();
  const last = new Map<string, number>();
  let duplicate = 0;
  for (const { fact, at } of facts) {
    const key = `${fact.kind} ${fact.traceId} ${fact.spanId}`;
    const before = last.get(key);
    last.set(key, at);
    if (before !== undefined && at - before <= windowMs) duplicate++;
    else spans.set(key, [...spans.get(key) ?? [], { fact, at }]);
  }
  return { spans, duplicate };
}

function tally() {
  const totals: EdgeTotals = {};
  const accounts: Reference["accounts"] = {
    read: 0,
    paired: 0,
    standalone: 0,
    expired: 0,
    duplicate: 0,
    irrelevant: 0,
    waiting: 0,
  };
  const count = (text: string, error: boolean) => {
    const total = totals[text] ??= { calls: 0, errors: 0 };
    total.calls++;
    total.errors += error ? 1 : 0;
  };
  return { totals, accounts, count };
}

function callText(client: SpanFact | undefined, server: SpanFact): string {
  const operation = server.operation ?? client?.operation ?? "";
  return `${client ? nameOf(client) : "?"} -> ${nameOf(server)} ${operation}`.trim();
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
