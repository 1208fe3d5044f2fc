import { ingestionBatches } from "#contract/topics.ts";
import type { OpenContext } from "#platform/compose.ts";
import { isEqual, verify } from "#platform/ops/edges.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  type OwnEngine,
  startKafka,
  startNeo4j,
  startPostgres,
  startRedis,
} from "#test/support/engines/own-engines.ts";
import {
  type ServiceName,
  type ServiceProcess,
  type ServiceProcessOptions,
  startService,
} from "#test/support/engines/processes.ts";

export const engineNames = ["kafka", "neo4j", "postgres", "redis"] as const;
export const processNames = ["api1", "api2", "consumer1", "consumer2"] as const;
export type EngineName = (typeof engineNames)[number];
export type ProcessName = (typeof processNames)[number];

/** A Tributary as it is run in earnest: two processes of each service over engines of its own. */
export interface Stack {
  engines: Record<EngineName, MindedEngine>;
  processes: Record<ProcessName, ServiceProcess>;
  /** The settings of every process. */
  env: Record<string, string>;
  /** A look at the engines from the test. */
  observer: OpenContext;
  /** Starts again whatever a test left down. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

const services: Record<ProcessName, ServiceName> = {
  api1: "api",
  api2: "api",
  consumer1: "ingest-consumer",
  consumer2: "ingest-consumer",
};

export interface StackOptions {
  /** Folders in which the data of engines lie. */
  folders?: Partial<Record<EngineName, string>>;
  /** What a process gets in addition to the common settings. */
  ofProcess?: (name: ProcessName) => Pick<ServiceProcessOptions, "gid"> & {
    env?: Record<string, string>;
  };
}

/** Starts engines, then services, engines in parallel, then services in parallel. */
export async function startStack(
  { folders = {}, ofProcess = () => ({}) }: StackOptions = {},
): Promise<Stack> {
  const [kafka, neo4j, postgres, redis] = await Promise.all([
    startKafka(undefined, folders.kafka),
    startNeo4j(undefined, folders.neo4j),
    startPostgres({}, folders.postgres),
    startRedis(undefined, folders.redis),
  ]);
  const engines = {
    kafka: minded(kafka),
    neo4j: minded(neo4j),
    postgres: minded(postgres),
    redis: minded(redis),
  };
  const env: Record<string, string> = {
    INSTANCE: "faults",
    EVENT_LOG_KAFKA_BROKERS: kafka.url,
    EVENT_LOG_KAFKA_PARTITIONS: "4",
    GRAPH_NEO4J_URL: neo4j.url,
    GRAPH_NEO4J_PASSWORD: neo4j.password,
    METADATA_POSTGRES_URL: postgres.url,
    METADATA_POSTGRES_MAX_CONNECTIONS: "12",
    CACHE_REDIS_URL: redis.url,
  };
  const started = await Promise.all(
    processNames.map((name) => {
      const more = ofProcess(name);
      return startService({ ...more, service: services[name], name, env: { ...env, ...more.env } });
    }),
  );
  const processes = Object.fromEntries(
    processNames.map((name, at) => [name, started[at]]),
  ) as Record<ProcessName, ServiceProcess>;
  const observer = await openObserver(env);
  return {
    engines,
    processes,
    env,
    observer,
    async heal() {
      await Promise.all(Object.values(engines).map((engine) => engine.heal()));
      for (const process of started) process.resume();
      await Promise.all(Object.values(processes).map((process) => process.start()));
    },
    async close() {
      await Promise.all(started.map((process) => process.kill()));
      await observer.close();
      await Promise.all(Object.values(engines).map((engine) => engine.stop()));
    },
  };
}

/** An engine that remembers what was done to it. */
export interface MindedEngine extends OwnEngine {
  /** Makes it run again, whatever was done to it. */
  heal(): Promise<void>;
}

function minded(engine: OwnEngine): MindedEngine {
  let state: "up" | "down" | "paused" = "up";
  return {
    url: engine.url,
    pids: engine.pids,
    async kill() {
      state = "down";
      await engine.kill();
    },
    async pause() {
      state = "paused";
      await engine.pause();
    },
    resume() {
      state = "up";
      engine.resume();
    },
    async restart() {
      await engine.restart();
      state = "up";
    },
    stop: engine.stop,
    async heal() {
      if (state === "paused") this.resume();
      if (state === "down") await this.restart();
    },
  };
}

/**
 * Waits until everything that was posted has had its effect and the graph equals the metadata: no
 * lag, and no difference. Nobody helps.
 */
export async function settled({ context }: OpenContext, within = 240_000): Promise<void> {
  const lag = async () => await context.events.lag("ingest-consumer", ingestionBatches);
  await eventually(async () => {
    const behind = (await lag()).reduce((sum, partition) => sum + partition.lag, 0);
    if (behind > 0) throw new Error(`${behind} records are not consumed`);
  }, { within, describe: lag });
  await eventually(async () => {
    const report = await verify(context, { maxWaitMs: 5_000 });
    if (report.projection === "projected" && !isEqual(report)) {
      throw new Error(`the graph differs: ${JSON.stringify(report)}`);
    }
  }, { within });
}
