import type { DataTarget, FactKind, ServiceIdentity, SpanFact } from "#contract/traces.ts";
import type { ResourceSpans, SpanModel } from "../model.ts";
import { operationOf, peerOf } from "./calls.ts";
import { databaseTargets } from "./database.ts";
import { serviceOf } from "./identity.ts";
import { messagingOf } from "./messaging.ts";
import { PathBudget } from "./paths.ts";

/** Shared by all receivers of a process: it bounds the operations of all of them together. */
const sharedBudget = new PathBudget();

/** A day; what claims to have lasted longer comes from a clock that was set meanwhile. */
const maxMicros = 86_400_000_000;

/** What spans became; `unreadable` are those whose fact could not be made. */
export interface FactsResult {
  facts: SpanFact[];
  irrelevant: number;
  unreadable: number;
}

/**
 * What is stored of spans. Irrelevant are INTERNAL spans that touch neither a database nor a topic,
 * producers without a destination, acknowledgements, and spans of resources that name no service. A
 * span that cannot be read is left out and counted; it stops no other.
 */
export function factsOf(all: ResourceSpans[], budget: PathBudget = sharedBudget): FactsResult {
  const made: FactsResult = { facts: [], irrelevant: 0, unreadable: 0 };
  for (const { resource, spans } of all) {
    const service = attempted(() => serviceOf(resource));
    for (const span of spans) {
      const fact = service && attempted(() => factOf(span, service, budget));
      if (fact) made.facts.push(fact);
      else if (fact === null) made.irrelevant++;
      else made.unreadable++;
    }
  }
  return made;
}

/** Undefined when it fails, whatever the failure. */
function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function factOf(span: SpanModel, service: ServiceIdentity, budget: PathBudget): SpanFact | null {
  const { attributes } = span;
  const database = span.kind === "server" ? [] : databaseTargets(attributes);
  if (database.length > 0) return withTargets(span, service, "client", database);
  const messaging = messagingOf(span);
  if (messaging === "irrelevant") return null;
  if (messaging !== null) return ofMessage(span, service, messaging);
  if (span.kind !== "client" && span.kind !== "server") return null;
  return {
    ...common(span, service, span.kind),
    operation: operationOf(span, service, budget),
    peer: span.kind === "client" ? peerOf(attributes) : null,
  };
}

function ofMessage(
  span: SpanModel,
  service: ServiceIdentity,
  { role, target }: { role: "producer" | "consumer"; target: DataTarget | null },
): SpanFact | null {
  if (target !== null) return withTargets(span, service, role, [target]);
  // The messages of one delivery nearly always come from one topic: the first link stands for all.
  const link = span.links[0] ??
    (span.parentSpanId === null ? null : { traceId: span.traceId, spanId: span.parentSpanId });
  return link === null ? null : { ...common(span, service, role), link };
}

function withTargets(
  span: SpanModel,
  service: ServiceIdentity,
  kind: FactKind,
  targets: DataTarget[],
): SpanFact {
  return { ...common(span, service, kind), targets };
}

function common(span: SpanModel, service: ServiceIdentity, kind: FactKind): SpanFact {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    kind,
    service,
    durationMicros: Math.min(maxMicros, Math.max(0, Math.round(span.endMicros - span.startMicros))),
    error: span.error,
    operation: null,
    peer: null,
    targets: [],
    link: null,
  };
}
