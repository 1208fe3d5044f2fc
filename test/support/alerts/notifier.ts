import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestCertificate } from "#test/support/engines/certificate.ts";
import { kafkaBrokers, neo4jOptions, redisUrl } from "#test/support/engines/engines.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import type { ServiceProcess } from "#test/support/engines/processes.ts";

/** Addresses of the engines of a set, for a service in a process of its own. */
export function engineEnvironment(set: EngineSet): Record<string, string> {
  if (set === "embedded") return {};
  const neo4j = neo4jOptions();
  return {
    EVENT_LOG_KAFKA_BROKERS: kafkaBrokers().join(","),
    EVENT_LOG_KAFKA_PARTITIONS: "3",
    GRAPH_NEO4J_URL: neo4j.url,
    GRAPH_NEO4J_USERNAME: neo4j.username,
    GRAPH_NEO4J_PASSWORD: neo4j.password,
    CACHE_REDIS_URL: redisUrl(),
  };
}

/** What makes a service over this database announce alerts; receivers and pace are added to it. */
export function notifierEnvironment(
  set: EngineSet,
  { name, url }: { name: string; url: string },
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    INSTANCE: name,
    METADATA_POSTGRES_URL: url,
    NOTIFICATIONS_ENABLED: "true",
    NOTIFICATIONS_WAL_HEARTBEAT: "500 ms",
    ...engineEnvironment(set),
    ...prefixed("NOTIFICATIONS_", more),
  };
}

/** Mail over STARTTLS to an authority of the test's own, after signing in. */
export function mailEnvironment(options: {
  port: number;
  user: string;
  password: string;
  tls: TestCertificate;
  recipients: string[];
}): Record<string, string> {
  const caFile = join(mkdtempSync(join(tmpdir(), "tributary-mail-")), "ca.pem");
  writeFileSync(caFile, options.tls.ca);
  return prefixed("RECEIVERS_EMAIL_", {
    HOST: "127.0.0.1",
    PORT: String(options.port),
    SENDER: options.user,
    PASSWORD: options.password,
    SMTP_AUTH: "true",
    SMTP_STARTTLS: "true",
    TLS_CA_FILE: caFile,
    NOTIFICATION_EMAILS: options.recipients.join(","),
  });
}

function prefixed(prefix: string, names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([name, v]) => [`${prefix}${name}`, v]));
}

/** How a worker stands, as `/health/ready` tells. */
export interface WorkerHealth {
  ready: boolean;
  state: string;
  detail?: string;
}

/** The workers of a service by their names. Rejects when it does not answer within two seconds. */
export async function workersOf(service: ServiceProcess): Promise<Record<string, WorkerHealth>> {
  const response = await fetch(`${service.url}/health/ready`, {
    signal: AbortSignal.timeout(2_000),
  });
  const { workers } = await response.json() as { workers: Record<string, WorkerHealth> };
  return workers;
}

/** How the slot reader of a notifier stands. */
export async function readerOf(service: ServiceProcess): Promise<WorkerHealth> {
  return (await workersOf(service))["alert slot reader"]!;
}
