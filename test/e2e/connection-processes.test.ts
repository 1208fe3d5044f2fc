import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { connectionSettings, secretKey } from "#test/support/connections.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { kafkaBrokers, neo4jOptions, redisUrl } from "#test/support/engines/engines.ts";
import type { EngineSet } from "#test/support/engines/instance.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { oneSetBySize, setsBySize } from "#test/support/engines/sets-by-size.ts";
import { withTableLocked } from "#test/support/engines/table-lock.ts";
import { eventually } from "#test/support/eventually.ts";
import { isLongRun, sized } from "#test/support/size.ts";

/** Makes the tables `from` to `to` in the schema `shop`, each of some columns. */
async function makeTables({ db }: TestDatabase, from: number, to: number): Promise<void> {
  await db.query("CREATE SCHEMA IF NOT EXISTS shop");
  for (let at = from; at <= to; at += 50) {
    await db.query(
      `DO $$ BEGIN FOR i IN ${at}..${Math.min(at + 49, to)} LOOP
         EXECUTE format('CREATE TABLE shop.t%s (id int, a text, b text, c text, d text, e text)', i);
         END LOOP; END $$`,
    );
  }
}

interface Collecting {
  test: TestDatabase;
  collector: ServiceProcess;
  send: (path: string, body?: unknown) => Promise<{ id: number; state: string }>;
  /** Creates a connection to a source; its id. */
  connect: (name: string, source: TestDatabase) => Promise<number>;
}

/** Where services of a process of their own find the engines of a set. */
function environmentOf(set: EngineSet, { name, url }: TestDatabase): Record<string, string> {
  const common = { METADATA_POSTGRES_URL: url, INSTANCE: name };
  if (set === "embedded") return common;
  const neo4j = neo4jOptions();
  return {
    ...common,
    EVENT_LOG_KAFKA_BROKERS: kafkaBrokers().join(","),
    EVENT_LOG_KAFKA_PARTITIONS: "3",
    GRAPH_NEO4J_URL: neo4j.url,
    GRAPH_NEO4J_PASSWORD: neo4j.password,
    CACHE_REDIS_URL: redisUrl(),
  };
}

/** Runs `work` over the services `api`, `ingest-consumer` and `collector` in processes of their own. */
async function withServices(
  set: EngineSet,
  collectorEnv: Record<string, string>,
  work: (at: Collecting) => Promise<void>,
): Promise<void> {
  const test = await testDatabase();
  const services: ServiceProcess[] = [];
  const env = {
    ...environmentOf(set, test),
    CONNECTIONS_SECRET_KEY: secretKey,
    CONNECTIONS_ALLOWED_HOSTS: "*",
  };
  const start = async (
    service: "collector" | "api" | "ingest-consumer",
    more: Record<string, string> = {},
  ) => {
    const started = await startService({ service, env: { ...env, ...more } });
    services.push(started);
    return started;
  };
  try {
    const api = await start("api");
    await start("ingest-consumer");
    const collector = await start("collector", collectorEnv);
    const send = async (path: string, body?: unknown) => {
      const response = await fetch(new URL(path, api.url), {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    };
    const connect = async (name: string, source: TestDatabase) => {
      const settings = connectionSettings(source.url, { host: "localhost" });
      const form = { name, connector: "postgresql", settings, paused: true };
      return (await send("/api/connections", form)).id;
    };
    await work({ test, collector, send, connect });
  } finally {
    for (const service of services) await service.kill();
    await test.drop();
  }
}

const succeeded = ({ send }: Collecting, run: number) =>
  eventually(async () => {
    expect((await send(`/api/connection-runs/${run}`)).state).toBe("SUCCEEDED");
  }, { within: 600_000 });

describe.each(oneSetBySize())("a kill -9 of the collector, %s engines", (set) => {
  it("amid a read doubles nothing and loses nothing", async () => {
    const source = await testDatabase(2);
    try {
      // Relations are read in the order in which they were made.
      const [before, all] = [1_100, 1_300];
      await makeTables(source, 1, before);
      await source.db.query("CREATE VIEW shop.halfway AS SELECT id FROM shop.t1");
      await makeTables(source, before + 1, all);
      await withServices(set, {}, async (at) => {
        const { test, collector, send, connect } = at;
        const count = async (from: string) =>
          (await test.db.query<{ count: number }>(`SELECT count(*)::int FROM ${from}`))[0]!.count;
        const run = await withTableLocked(source.name, "pg_rewrite", async (waits) => {
          const run = await send(`/api/connections/${await connect("many", source)}/run`, {});
          await waits("tributary collector");
          // A batch is out, and the view cannot be read now.
          const published = await count("connection_item");
          expect(published).toBeGreaterThan(0);
          expect(published).toBeLessThan(before);
          await collector.kill();
          return run;
        });
        await collector.start();
        await succeeded(at, run.id);
        expect(await count("connection_item")).toBe(all + 1);
        const live =
          "data_entity WHERE NOT hollow AND status <> 5 AND catrn LIKE '%/schemas/shop/%'";
        await eventually(async () => expect(await count(live)).toBe(all + 1));
        expect(await count("connection_run")).toBe(1);
      });
    } finally {
      await source.drop();
    }
  });
});

/** Tables of the sources, the smallest of one batch. */
const sizes = [sized(300, 1_000), sized(900, 20_000), ...(isLongRun ? [40_000] : [])];
/** Megabytes that the second may cost more, and those that twice as many tables may cost after it. */
const roomMb = 60;
const growthMb = 15;

/** Without it the heap grows by what is not collected yet, as far as the machine has room. */
const heap = { DENO_V8_FLAGS: "--max-old-space-size=128" };

describe.each(setsBySize())("memory of the collector, %s engines", (set) => {
  it(`reads ${sizes.slice(1).join(" and ")} tables in the memory of ${sizes[0]}`, async () => {
    const sources: TestDatabase[] = [];
    try {
      await withServices(set, heap, async (at) => {
        const peaks: number[] = [];
        for (const size of sizes) {
          const source = await testDatabase(2);
          sources.push(source);
          await makeTables(source, 1, size);
          const id = await at.connect(`of ${size}`, source);
          await succeeded(at, (await at.send(`/api/connections/${id}/run`, {})).id);
          peaks.push(peakMb(at.collector.pid()));
        }
        expect(at.collector.ends()).toBe(0);
        console.log(`Peak of the collector after ${sizes.join(", ")}: ${peaks.join(", ")} MB`);
        const [least, more, ...most] = peaks as [number, number, ...number[]];
        expect(more - least).toBeLessThan(roomMb);
        for (const peak of most) expect(peak - more).toBeLessThan(growthMb);
      });
    } finally {
      for (const source of sources) await source.drop();
    }
  });
});

/** The most memory that a process has had, in megabytes. */
function peakMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Math.round(Number(kilobytes) / 1_024);
}
