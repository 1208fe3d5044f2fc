import type { OpenContext } from "#platform/compose.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { type OwnEngine, startKafka, startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { openObserver } from "#test/support/engines/observer.ts";

/** Two gateways as they are run in earnest, over engines of their own. */
export interface TraceStack {
  postgres: OwnEngine;
  /** Absent where the event log is in PostgreSQL. */
  kafka: OwnEngine | undefined;
  gateways: [GatewayProcess, GatewayProcess];
  /** A look at the engines from the test. */
  observer: OpenContext["context"];
  /** The settings of every process. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export interface GatewayProcess extends ServiceProcess {
  /** Base URL of the HTTP receiver and `host:port` of the gRPC receiver, the same over restarts. */
  http: string;
  grpc: string;
}

/** Starts the engines of a set, and two gateways over them; `settings` are theirs. */
export async function startTraceStack(
  set: EngineSet,
  settings: Record<string, string> = {},
): Promise<TraceStack> {
  const [postgres, kafka] = await Promise.all([
    startPostgres(),
    set === "distributed" ? startKafka() : undefined,
  ]);
  const env: Record<string, string> = {
    INSTANCE: "faults",
    METADATA_POSTGRES_URL: postgres.url,
    METADATA_POSTGRES_MAX_CONNECTIONS: "12",
    EVENT_LOG_KAFKA_PARTITIONS: "4",
    ...(kafka && { EVENT_LOG_KAFKA_BROKERS: kafka.url }),
    ...settings,
  };
  const gateways = await Promise.all([
    startGateway("gateway1", env),
    startGateway("gateway2", env),
  ]);
  const opened = await openObserver(env);
  return {
    postgres,
    kafka,
    gateways,
    observer: opened.context,
    env,
    async close() {
      for (const paused of [postgres, kafka, ...gateways]) paused?.resume();
      await Promise.all(gateways.map((gateway) => gateway.kill()));
      await opened.close();
      await Promise.all([postgres.stop(), kafka?.stop()]);
    },
  };
}

async function startGateway(name: string, env: Record<string, string>): Promise<GatewayProcess> {
  const [http, grpc] = [await freePort(), await freePort()];
  const ports = { TRACES_HTTP_PORT: `${http}`, TRACES_GRPC_PORT: `${grpc}` };
  const service = await startService({
    service: "trace-gateway",
    name,
    env: { ...env, ...ports },
  });
  return Object.assign(service, { http: `http://127.0.0.1:${http}`, grpc: `127.0.0.1:${grpc}` });
}
