import { composedBatches, ingestionGroup, openlineageEvents } from "#contract/topics.ts";
import type { Context } from "#platform/context.ts";
import { mergerGroup } from "#services/openlineage/merger.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { startKafka, startNeo4j, startPostgres } from "#test/support/engines/own-engines.ts";
import {
  type ServiceName,
  type ServiceProcess,
  startService,
} from "#test/support/engines/processes.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";

/** A process of each service, over engines of their own. */
export interface ServiceStack {
  processes: Map<ServiceName, ServiceProcess>;
  /** A look at the engines from the test. */
  observer: Context;
  close(): Promise<void>;
}

/** Starts the engines of a set, and then these services. */
export async function startServices(
  set: EngineSet,
  services: readonly ServiceName[],
): Promise<ServiceStack> {
  const both = set === "distributed";
  const [postgres, kafka, neo4j] = await Promise.all([
    startPostgres(),
    both ? startKafka() : undefined,
    both ? startNeo4j() : undefined,
  ]);
  const env: Record<string, string> = {
    INSTANCE: "faults",
    METADATA_POSTGRES_URL: postgres.url,
    METADATA_POSTGRES_MAX_CONNECTIONS: "12",
    EVENT_LOG_KAFKA_PARTITIONS: "4",
    ...(kafka && { EVENT_LOG_KAFKA_BROKERS: kafka.url }),
    ...(neo4j && { GRAPH_NEO4J_URL: neo4j.url, GRAPH_NEO4J_PASSWORD: neo4j.password }),
  };
  const started = await Promise.all(
    services.map(async (service) => [service, await startService({ service, env })] as const),
  );
  const opened = await openObserver(env);
  return {
    processes: new Map(started),
    observer: opened.context,
    async close() {
      await Promise.all(started.map(([, process]) => process.kill()));
      await opened.close();
      await Promise.all([postgres, kafka, neo4j].map((engine) => engine?.stop()));
    },
  };
}

/** A process of each service that events of OpenLineage pass, over engines of their own. */
export interface LineageStack {
  api: ServiceProcess;
  openlineage: ServiceProcess;
  processes: ServiceProcess[];
  /** A look at the engines from the test. */
  observer: Context;
  close(): Promise<void>;
}

/** Starts the engines of a set, and then the services. */
export async function startLineageStack(set: EngineSet): Promise<LineageStack> {
  const { processes, ...stack } = await startServices(set, [
    "api",
    "openlineage",
    "ingest-consumer",
  ]);
  return {
    api: processes.get("api")!,
    openlineage: processes.get("openlineage")!,
    processes: [...processes.values()],
    ...stack,
  };
}

const busy = `
  SELECT 'dirty' AS what WHERE EXISTS (SELECT FROM ol_job WHERE dirty > 0)
      OR EXISTS (SELECT FROM ol_run WHERE dirty > 0) OR EXISTS (SELECT FROM ol_dataset WHERE dirty > 0)
   UNION ALL SELECT 'leaving' WHERE EXISTS (SELECT FROM ol_leaving)`;

/** Waits until every accepted event has had its effect in the catalogue. Nobody helps. */
export async function lineageSettled({ db, events }: Context): Promise<void> {
  const lag = async (group: string, topic: string) =>
    (await events.lag(group, topic)).reduce((sum, each) => sum + each.lag, 0);
  const state = async () => ({
    unmerged: await lag(mergerGroup, openlineageEvents),
    waiting: (await db.query<{ what: string }>(busy)).map(({ what }) => what),
    unapplied: await lag(ingestionGroup, composedBatches),
  });
  await eventually(async () => {
    const { unmerged, waiting, unapplied } = await state();
    if (unmerged + unapplied + waiting.length > 0) throw new Error("there is something to do");
  }, { within: 240_000, describe: state });
}
