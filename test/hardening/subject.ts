import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ingestionGroup } from "#contract/topics.ts";
import type { OpenContext } from "#platform/compose.ts";
import { groups } from "#platform/ops/lag.ts";
import type { EventLog } from "#eventlog/port.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";
import { Shop } from "#test/faults/client.ts";
import { kafkaBrokers, neo4jOptions, redisUrl } from "#test/support/engines/engines.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { removed } from "#test/support/engines/directory.ts";

/** A whole Tributary as a user starts it, in a process of its own, to be sent the worst there is. */
export interface Subject {
  /** Prefix of its topics and labels. */
  instance: string;
  service: ServiceProcess;
  /** Base address of the API. */
  url: string;
  /** Base address of the OTLP/HTTP receiver, and `host:port` of the gRPC receiver. */
  otlp: string;
  grpc: string;
  /** A topic of others with OTLP; null where the event log is in PostgreSQL. */
  otlpTopic: string | null;
  /** A source with one step of lineage, for asking whether it still works. */
  shop: Shop;
  /** A look at the engines, opened again after a restart. */
  openContext(): Promise<OpenContext["context"]>;
  stop(): Promise<void>;
}

/** Starts one over engines of the set, with data of its own; `settings` are laid over its environment. */
export async function startSubject(
  set: EngineSet,
  settings: Record<string, string> = {},
): Promise<Subject> {
  const dataDir = mkdtempSync(join(tmpdir(), "tributary-hardening-"));
  chmodSync(dataDir, 0o755);
  const instance = `hard_${crypto.randomUUID().slice(0, 8)}`;
  const [http, grpc] = [await freePort(), await freePort()];
  const otlpTopic = set === "distributed" ? `${instance}.${foreign.name}` : null;
  const env: Record<string, string> = {
    INSTANCE: instance,
    DATA_DIR: dataDir,
    ...(set === "distributed" && addresses()),
    ...discussions,
    ...(otlpTopic && { TRACES_OTLP_TOPIC: otlpTopic }),
    ...settings,
    TRACES_HTTP_PORT: `${http}`,
    TRACES_GRPC_PORT: `${grpc}`,
  };
  const service = await startService({ service: "all", name: instance, env });
  let opened: OpenContext | undefined;
  let pid = 0;
  const subject: Subject = {
    instance,
    service,
    url: service.url,
    otlp: `http://127.0.0.1:${http}`,
    grpc: `127.0.0.1:${grpc}`,
    otlpTopic,
    shop: new Shop(service.url, "//hardening/shop"),
    async openContext() {
      if (opened && pid === service.pid()) return opened.context;
      await opened?.close();
      pid = service.pid();
      opened = await openObserver(env);
      return opened.context;
    },
    async stop() {
      await opened?.close().catch(() => {});
      if (service.pid() > 0) await service.terminate();
      await removed(dataDir);
    },
  };
  const { events } = await subject.openContext();
  if (otlpTopic) await events.ensureTopics([foreign]);
  await subject.shop.open();
  return subject;
}

/** Partitions with records that consumers have not done yet, and how many each has. */
export async function behind(events: EventLog): Promise<string[]> {
  const awaited = groups.filter(({ group }) =>
    group === ingestionGroup || group === "service-graph"
  );
  const lags = await Promise.all(
    awaited.map(async ({ group, topic }) => {
      const partitions = (await events.lag(group, topic)).filter(({ lag }) => lag > 0);
      return partitions.map(({ partition, lag }) => `${topic}/${partition}: ${lag}`);
    }),
  );
  return lags.flat();
}

/** Waits until nothing of what was taken is still to be done. */
export async function nothingLeft(subject: Subject, within: number): Promise<void> {
  await eventually(async () => {
    const left = await behind((await subject.openContext()).events);
    if (left.length > 0) throw new Error(`not done: ${left.join(", ")}`);
  }, { within, describe: () => subject.service.output().slice(-5) });
}

/** The topic of others, as our own log names it. */
const foreign = {
  name: "otlp",
  partitions: 1,
  maxRecordBytes: 20 * 1_048_576,
  retentionMs: 86_400_000,
};

/** Discussions are on, so that their entrances are reached; the provider never answers. */
const discussions = {
  DATACOLLABORATION_ENABLED: "true",
  DATACOLLABORATION_CHAT_OAUTH_TOKEN: "xoxb-1",
  DATACOLLABORATION_API_URL: "http://127.0.0.1:9/api",
};

/** Where the distributed engines are. */
function addresses(): Record<string, string> {
  return {
    EVENT_LOG_KAFKA_BROKERS: kafkaBrokers().join(","),
    EVENT_LOG_KAFKA_PARTITIONS: "3",
    GRAPH_NEO4J_URL: neo4jOptions().url,
    GRAPH_NEO4J_PASSWORD: neo4jOptions().password,
    CACHE_REDIS_URL: redisUrl(),
  };
}
