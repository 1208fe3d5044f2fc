import type { EventLog } from "#eventlog/port.ts";
import { Config } from "#platform/config/schema.ts";
import { type RunningProcess, startProcess } from "#platform/process.ts";
import type { Service } from "#platform/service.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { createMetrics } from "#platform/telemetry/metrics.ts";
import { apiService } from "#services/api/service.ts";
import { chatService } from "#services/chat/service.ts";
import { housekeepingService } from "#services/housekeeping/service.ts";
import { ingestConsumerService } from "#services/ingest-consumer/service.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  distributed,
  kafkaBrokers,
  neo4jOptions,
  redisUrl,
} from "#test/support/engines/engines.ts";

export type EngineSet = "embedded" | "distributed";

/** The sets that this run tests; the distributed one whenever its engines are named. */
export function engineSets(): EngineSet[] {
  return distributed() ? ["embedded", "distributed"] : ["embedded"];
}

type Input = Record<string, unknown>;

/** Addresses of the engines of a set, for a configuration. */
export function engineConfig(set: EngineSet): Input {
  if (set === "embedded") return {};
  return {
    "event-log": { kafka: { brokers: kafkaBrokers().join(","), partitions: 3 } },
    graph: { neo4j: neo4jOptions() },
    cache: { redis: { url: redisUrl() } },
  };
}

export interface Instance {
  url: string;
  test: TestDatabase;
  /** Lines that the instance logged so far. */
  logs: string[];
  /** The event log that it uses, for writing as collectors do that know it. */
  events: EventLog;
  /** Why the instance gave itself up, if it did. */
  exhaustedWorker: () => string | null;
  send(method: string, path: string, body?: unknown, headers?: HeadersInit): Promise<Response>;
  /** GET and parse. */
  json(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

export interface InstanceOptions {
  services?: Service[];
  /** Laid over the configuration, first level by first level. */
  config?: Input;
  /** An instance that shares this database (and so this name) with another. */
  sharedDatabase?: TestDatabase;
  /** Failed runs of a worker before it is given up. */
  maxFailures?: number;
  /** See `startProcess`. */
  onListening?: (running: RunningProcess) => void;
  /** Folder of the schema; this release's own unless told. */
  schema?: URL;
}

/** A whole Tributary in this process, on a free port, over a database and a name of its own. */
export async function startInstance(
  set: EngineSet,
  options: InstanceOptions = {},
): Promise<Instance> {
  const test = options.sharedDatabase ?? await testDatabase();
  const logs: string[] = [];
  let exhaustedWorker: string | null = null;
  const given = options.services ?? [apiService, ingestConsumerService];
  const running = await startProcess({
    config: Config.parse({
      instance: test.name,
      server: { port: 0 },
      traces: { http: { port: 0 }, grpc: { port: 0 } },
      metadata: { postgres: { url: test.url, "max-connections": 12 } },
      ...engineConfig(set),
      ...options.config,
    }),
    log: createLogger({ level: "info", format: "json", write: (line) => keep(logs, line) }),
    metrics: createMetrics(),
    services: completed(given),
    name: given.length === 1 ? given[0]!.name : undefined,
    giveUp: (what) => exhaustedWorker = what,
    maxFailures: options.maxFailures,
    onListening: options.onListening,
    schema: options.schema,
  });
  const send = (method: string, path: string, body?: unknown, headers: HeadersInit = {}) =>
    fetch(new URL(path, running.url), {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
  return {
    url: running.url,
    test,
    logs,
    events: running.opened.context.events,
    exhaustedWorker: () => exhaustedWorker,
    send,
    async json(path) {
      const response = await send("GET", path);
      if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    },
    async stop() {
      await running.stop();
      if (!options.sharedDatabase) await test.drop();
    },
  };
}

/** With what runs in each process of the API (main.ts). */
function completed(services: Service[]): Service[] {
  const hasApi = services.some(({ name }) => name === apiService.name);
  return hasApi ? [...services, housekeepingService, chatService] : services;
}

function keep(logs: string[], line: string): void {
  logs.push(line);
  if (logs.length > 5_000) logs.shift();
}
