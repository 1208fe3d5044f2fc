import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { checkOutLastRelease, type LastRelease } from "#test/support/last-release.ts";
import { emptyDatabase } from "#test/support/backup.ts";
import type { TestDatabase } from "#test/support/engines/database.ts";
import { engineSets } from "#test/support/engines/instance.ts";
import { kafkaBrokers, neo4jOptions, redisUrl } from "#test/support/engines/engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { eventually } from "#test/support/eventually.ts";
import { freePort } from "../../tools/engines/process.mjs";
import { expectHolds } from "../faults/holds.ts";
import { produce } from "../faults/producer.ts";
import { settled } from "../faults/stack.ts";

const replicas = ["api", "api", "ingest-consumer", "ingest-consumer"] as const;

/** Addresses of the real engines, as every process gets them. */
function distributedEnv(): Record<string, string> {
  const { url, password } = neo4jOptions();
  return {
    EVENT_LOG_KAFKA_BROKERS: kafkaBrokers().join(","),
    EVENT_LOG_KAFKA_PARTITIONS: "3",
    GRAPH_NEO4J_URL: url,
    GRAPH_NEO4J_PASSWORD: password,
    CACHE_REDIS_URL: redisUrl(),
  };
}

describe.each(engineSets())("replicas of the last release, %s engines", (set) => {
  let last: LastRelease;
  let test: TestDatabase;
  const running: (ServiceProcess | undefined)[] = [];
  beforeAll(async () => {
    last = checkOutLastRelease();
    test = await emptyDatabase();
  });
  afterAll(async () => {
    for (const service of running) await service?.kill();
    await test?.drop();
    last?.remove();
  });

  it("are replaced one by one under traffic, and put back where nothing breaks", async () => {
    const env = {
      INSTANCE: test.name,
      METADATA_POSTGRES_URL: test.url,
      ...(set === "distributed" ? distributedEnv() : {}),
    };
    const ports = await Promise.all(replicas.map(() => freePort()));
    /** Replaces a replica at its address. */
    const replace = async (at: number, checkout?: string) => {
      const before = running[at];
      if (before) expect((await before.terminate()).code).toBe(0);
      running[at] = await startService({
        service: replicas[at]!,
        env,
        checkout,
        port: ports[at]!,
        readyWithin: 240_000,
      });
    };
    for (const at of replicas.keys()) await replace(at, last.root);
    const observer = await openContext({
      config: loadConfig({ env }),
      log: silentLogger,
      metrics: noMetrics,
      embedded: "attach",
      migrates: false,
    });
    try {
      const over = new AbortController();
      const urls = ports.slice(0, 2).map((port) => `http://127.0.0.1:${port}`);
      const sources = ["a", "b"].map((name) => `//rolling/${set}/${name}`);
      const producing = produce({ urls, sources, seed: 11, until: over.signal });
      const applied = async () => {
        const sql = "SELECT count(*) AS n FROM applied_batch WHERE outcome = 'applied'";
        return (await observer.context.db.query<{ n: number }>(sql))[0]!.n;
      };
      const steps = async () => {
        for (const checkout of last.isBreaking ? [undefined] : [undefined, last.root, undefined]) {
          for (const at of replicas.keys()) {
            const before = await applied();
            await replace(at, checkout);
            await eventually(async () => expect(await applied()).toBeGreaterThan(before));
          }
        }
      };
      await Promise.race([steps(), producing]);
      over.abort();
      const { model, failures } = await producing;
      await settled(observer);
      await expectHolds(observer.context.db, model, `//rolling/${set}/`);
      expect(failures).not.toHaveProperty("TimeoutError");
      expect(running.map((service) => service?.ends())).toEqual(replicas.map(() => 0));
    } finally {
      await observer.close();
    }
  });
});
