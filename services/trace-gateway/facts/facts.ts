import type { DataTarget, FactKind, ServiceIdentity, SpanFact } from "#contract/traces.ts";
import type { Attributes, ResourceSpans, SpanModel } from "../otlp/decoding.ts";
import { operationOf, PathBudget, peerOf } from "./calls.ts";
import { databaseTargets } from "./database.ts";
import { messagingOf } from "./messaging.ts";
import { text } from "./attributes.ts";

/** Shared by all receivers of a process: it bounds the operations of all of them together. */
const sharedBudget = new PathBudget();

/** A day; what claims to have lasted longer comes from a clock that was set meanwhile. */
const maxMicros = 86_400_000_000;

/** What spans became; `unreadable` are those whose fact could not be made. */
interface FactsResult {
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
  if (database.length > 0) return { ...common(span, service, "client"), targets: database };
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
  if (target !== null) return { ...common(span, service, role), targets: [target] };
  // The messages of one delivery nearly always come from one topic: the first link stands for all.
  const link = span.links[0] ??
    (span.parentSpanId === null ? null : { traceId: span.traceId, spanId: span.parentSpanId });
  return link === null ? null : { ...common(span, service, role), link };
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

/** What an SDK puts where nobody named the service; it names no service at all. */
const unnamed = /^unknown_service(:|$)/i;

const workloads = [
  "k8s.deployment.name",
  "k8s.statefulset.name",
  "k8s.daemonset.name",
  "k8s.cronjob.name",
  "k8s.job.name",
] as const;

const deployments = ["faas.name", "aws.ecs.task.family"] as const;

/**
 * Which service a resource is. Without a `service.name` (or with `unknown_service:…`), the first of:
 * the Kubernetes workload (Deployment, StatefulSet, DaemonSet, CronJob, Job, then ReplicaSet, Pod and
 * container, with the random ends of generated names cut off) within its Kubernetes namespace; the
 * function or Cloud Run service (`faas.name`); the ECS task family; the container's name;
 * `process@host`; `unnamed@host`; the service instance; the container's id. Null if unknown
 * one from another: such spans are not merged into one service that does not exist.
 */
export function serviceOf(resource: Attributes): ServiceIdentity | null {
  const version = text(resource, "service.version");
  const name = text(resource, "service.name");
  const namespace = text(resource, "service.namespace");
  if (name !== null && !unnamed.test(name)) return { namespace, name, version };
  const workload = workloadOf(resource);
  if (workload !== null) {
    const within = namespace ?? text(resource, "k8s.namespace.name");
    return { namespace: within, name: workload, version };
  }
  const other = text(resource, ...deployments, "container.name") ?? processOf(resource, name);
  return other === null ? null : { namespace, name: other, version };
}

function workloadOf(resource: Attributes): string | null {
  return text(resource, ...workloads) ??
    text(resource, "k8s.replicaset.name")?.replace(generatedReplicaSet, "") ??
    text(resource, "k8s.pod.name")?.replace(generatedPod, "") ??
    text(resource, "k8s.container.name");
}

// Kubernetes makes the ends of names of these letters, which form no words.
const alphabet = "[bcdfghjklmnpqrstvwxz2456789]";
const generatedReplicaSet = new RegExp(`-${alphabet}{6,10}$`);
const generatedPod = new RegExp(`(-${alphabet}{6,10})?-${alphabet}{5}$`);

/** The name of a process says little without its host: half the world's are called `java`. */
function processOf(resource: Attributes, serviceName: string | null): string | null {
  const executable = text(resource, "process.executable.name") ?? languageOf(serviceName);
  const host = text(resource, "host.name", "host.id");
  if (host !== null) return `${executable ?? "unnamed"}@${host}`;
  const instance = text(resource, "service.instance.id");
  if (instance !== null) return `${executable ?? "unnamed"}@${instance}`;
  const container = text(resource, "container.id");
  return container === null ? null : `${executable ?? "unnamed"}@${container.slice(0, 12)}`;
}

/** `unknown_service:java` names at least the program. */
function languageOf(serviceName: string | null): string | null {
  const program = serviceName?.replace(/^unknown_service:?/i, "") ?? "";
  return program === "" ? null : program;
}
