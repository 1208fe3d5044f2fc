import { startPostgres } from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { serviceNames } from "../../tools/services.mjs";
import { removeTraces } from "../support/engines.ts";
import { engineEnvironment, startSubject } from "../support/subject.ts";

/** A product that runs, to be left alone. */
export interface IdleSubject {
  /** Its processes by name, without those that they started. */
  pids: Map<string, number>;
  /** A small load: some entities through the whole event path. */
  load(): Promise<void>;
  stop(): Promise<void>;
}

/** `npm start`: all services and PostgreSQL. */
export async function singleProcess(): Promise<IdleSubject> {
  const subject = await startSubject("embedded");
  return {
    pids: new Map([["single process", subject.pid]]),
    load: () => postBatches(subject.url),
    stop: () => subject.stop(),
  };
}

const services = serviceNames.filter((name) => name !== "all");

/** Every service in a process of its own, over Kafka, Neo4j, Redis and a PostgreSQL that none of them starts. */
export async function eachService(): Promise<IdleSubject> {
  const engines = engineEnvironment("distributed");
  const postgres = await startPostgres();
  const instance = `bench_${crypto.randomUUID().slice(0, 8)}`;
  const env = {
    ...engines,
    INSTANCE: instance,
    METADATA_POSTGRES_URL: postgres.url,
    NOTIFICATIONS_ENABLED: "true",
    // Nothing is sent there, since no alert is raised.
    NOTIFICATIONS_RECEIVERS_WEBHOOK_URL: "http://127.0.0.1:9/",
  };
  const running: ServiceProcess[] = [];
  const stop = async () => {
    await Promise.all(running.map((service) => service.terminate()));
    await postgres.stop();
    await removeTraces(instance);
  };
  try {
    for (const service of services) {
      running.push(await startService({ service, env, readyWithin: 300_000 }));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pids: new Map(running.map((service) => [service.name, service.pid()])),
    load: () => postBatches(running[0]!.url),
    stop,
  };
}

const source = "//bench/idle";

async function postBatches(url: string): Promise<void> {
  await post(url, "/ingestion/datasources", { items: [{ catrn: source, name: "Idle" }] });
  for (let n = 0; n < 20; n++) {
    const item = { catrn: `${source}/tables/${n}`, name: `t${n}`, type: "TABLE" };
    const items = [{ ...item, dataset: { field_list: [] } }];
    await post(url, "/ingestion/entities", { data_source_catrn: source, items });
  }
}

/** Right after the start, while groups are being joined, a batch may not be applied in time yet. */
async function post(url: string, path: string, body: unknown): Promise<void> {
  await eventually(async () => {
    const response = await fetch(new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  });
}
