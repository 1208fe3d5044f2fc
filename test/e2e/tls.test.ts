import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isProjected } from "#graph/port.ts";
import { systemClock } from "#kit/clock.ts";
import { noMetrics } from "#kit/metrics.ts";
import { createCache, createEventLog, createGraph } from "#platform/adapters.ts";
import { type OpenContext, openContext } from "#platform/compose.ts";
import { loadConfig } from "#platform/config/load.ts";
import { createLogger } from "#platform/telemetry/log.ts";
import { failureText } from "#platform/secrets.ts";
import { testCertificate } from "#test/support/engines/certificate.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { ask, spelled } from "#test/support/engines/lineage-graph.ts";
import { tcpProxy } from "#test/support/engines/tcp-proxy.ts";
import {
  type EngineName,
  type Env,
  startTlsEngines,
  type TlsEngines,
} from "#test/support/engines/tls-engines.ts";

const password = "right-s3cret-word";
const wrong = "wrong-s3cret-word";
const mechanisms = ["plain", "scram-sha-256", "scram-sha-512"] as const;
const names: EngineName[] = ["PostgreSQL", "Kafka", "Neo4j", "Redis"];

let engines: TlsEngines;

const lines: string[] = [];
const log = createLogger({
  level: "debug",
  format: "json",
  write: (line) => void lines.push(line),
});

const open = (more?: Env) =>
  openContext({
    config: loadConfig({ env: engines.env(more) }),
    log,
    metrics: noMetrics,
    embedded: "attach",
  });

if (distributed()) {
  beforeAll(async () => void (engines = await startTlsEngines(password)), 300_000);
  afterAll(() => engines?.stop());

  describe("engines with TLS and a private authority, let in", () => {
    let opened: OpenContext;
    beforeAll(async () => void (opened = await open()));
    afterAll(() => opened?.close());

    it("PostgreSQL: queries and wake-ups are encrypted", async () => {
      const { db, wakeups } = opened.context;
      const woken: string[] = [];
      wakeups.on("tls", (payload) => void woken.push(payload));
      await eventually(async () => {
        await db.query("SELECT pg_notify('tls', 'told')");
        expect(woken).toContain("told");
      });
      const rows = await db.query(
        "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname IS NOT NULL",
      );
      expect(rows).toEqual([{ ssl: true }]);
    });

    it.each(mechanisms)(
      "Kafka, signed in by %s: what is published is consumed",
      async (mechanism) => {
        const config = loadConfig({
          env: engines.env({ EVENT_LOG_KAFKA_SASL_MECHANISM: mechanism }),
        });
        const events = await createEventLog({ ...opened.context, config });
        const topic = `tls.${mechanism}`;
        await events.ensureTopics([{
          name: topic,
          partitions: 1,
          maxRecordBytes: 1_000,
          retentionMs: 60_000,
        }]);
        const value = new TextEncoder().encode(mechanism);
        await events.publish(topic, [{ key: "k", value, headers: {} }], { timeoutMs: 10_000 });
        const seen: string[] = [];
        const consumer = events.consumer({
          group: "tls",
          topic,
          handler: (records) => {
            seen.push(...records.map((record) => new TextDecoder().decode(record.value)));
            return Promise.resolve();
          },
          maxRecords: 10,
          maxBytes: 10_000,
          concurrency: 1,
        });
        await consumer.start(() => {});
        await eventually(() => expect(seen).toEqual([mechanism]));
        await consumer.stop();
        await events.close();
      },
    );

    it("Neo4j: what is projected is walked", async () => {
      const { graph } = opened.context;
      if (!isProjected(graph)) throw new Error("not Neo4j");
      await graph.ensureSchema();
      await graph.claim(1);
      await graph.apply(1, { position: 1, entities: [1, 2, 3], edges: [[1, 2], [2, 3]] });
      const { edges } = await graph.walk(ask([1], { depth: 2 }));
      expect(spelled(edges)).toEqual(["1>2", "2>3"]);
    });

    it("Redis: what is set is got", async () => {
      const { cache } = opened.context;
      await eventually(() => cache.ping(1_000));
      await cache.set("tls", "kept", 60_000);
      expect(await cache.get("tls")).toBe("kept");
    });
  });

  describe("engines with TLS and a private authority, not let in", () => {
    /** What an operator reads of the first use of an engine that goes wrong. */
    const refusals: Record<EngineName, (more: Env) => Promise<string>> = {
      async PostgreSQL(more) {
        return failureText(await open(more).then((o) => o.close(), (error) => error));
      },
      async Kafka(more) {
        const events = await createEventLog(depsOf(more));
        const error = await events.ping(10_000).catch((e) => e);
        await events.close();
        return failureText(error);
      },
      async Neo4j(more) {
        const graph = await createGraph(depsOf(more));
        const error = await graph.ping(10_000).catch((e) => e);
        await graph.close();
        return failureText(error);
      },
      async Redis(more) {
        const cache = await createCache(depsOf(more));
        let said = "";
        await eventually(async () => {
          said = failureText(await cache.ping(1_000).catch((e) => e));
          // Until the first connection failed there is nothing to tell.
          expect(said).not.toMatch(/isn't writeable/);
        });
        await cache.close();
        return said;
      },
    };
    const depsOf = (more: Env) =>
      ({
        config: loadConfig({ env: engines.env(more) }),
        log,
        metrics: noMetrics,
        clock: systemClock,
      }) as Parameters<typeof createEventLog>[0];

    const certificate = /certificate|unknownissuer/i;

    async function refused(name: EngineName, more: Env, why: RegExp): Promise<void> {
      const said = await refusals[name](more);
      expect(said).toContain(name);
      expect(said).toMatch(why);
      for (const text of [said, ...lines]) {
        expect(text).not.toContain(password);
        expect(text).not.toContain(wrong);
      }
    }

    it.each(names)("%s of another authority", async (name) => {
      const other = engines.file("wrong.pem", testCertificate().ca);
      await refused(name, { [engines.of(name).authority]: other }, certificate);
    });

    it.each(names)("%s of an authority that nobody named", async (name) => {
      await refused(name, { [engines.of(name).authority]: "" }, certificate);
    });

    it.each(names)("%s under a name that its certificate has not", async (name) => {
      const { url, address } = engines.of(name);
      const door = await tcpProxy(url, "127.0.0.2");
      await refused(name, { [address]: door.url.replace("kafka://", "") }, certificate);
      await door.close();
    });

    const plain = { EVENT_LOG_KAFKA_SASL_MECHANISM: "plain" };
    it.each<[EngineName, string, () => Env]>([
      ["PostgreSQL", "", () => withPassword("PostgreSQL")],
      ["Kafka", " (SCRAM)", () => ({ EVENT_LOG_KAFKA_SASL_PASSWORD: wrong })],
      ["Kafka", " (PLAIN)", () => ({ EVENT_LOG_KAFKA_SASL_PASSWORD: wrong, ...plain })],
      ["Neo4j", "", () => ({ GRAPH_NEO4J_PASSWORD: wrong })],
      ["Redis", "", () => withPassword("Redis")],
    ])("%s by a wrong password%s", async (name, _, more) => {
      await refused(name, more(), /authentication|WRONGPASS|password/i);
    });

    const withPassword = (name: EngineName) => {
      const { url, address } = engines.of(name);
      return { [address]: Object.assign(new URL(url), { password: wrong }).href };
    };

    it.each(names)("%s by a file that is no authority", async (name) => {
      for (const path of ["/nowhere/absent.pem", engines.file("empty.pem", "nothing")]) {
        const more = { [engines.of(name).authority]: path };
        const text = await refusals[name](more).catch(failureText);
        expect(text).toContain("ssl.ca-file");
        expect(text).toContain(path);
      }
    });
  });
} else {
  it("has nothing to encrypt where every engine is in this process or its child", () => {
    expect(distributed()).toBe(false);
  });
}
