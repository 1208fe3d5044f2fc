import type { ServiceIdentity } from "#contract/traces.ts";
import type { Attributes } from "../model.ts";
import { text } from "./attributes.ts";

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
