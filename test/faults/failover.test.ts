import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestionBatches, ingestionGroup } from "#contract/topics.ts";
import type { OpenContext } from "#platform/compose.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { type FailoverPostgres, startFailoverPostgres } from "#test/support/engines/failover.ts";
import { type OlderKafka, startOlderKafka } from "#test/support/engines/older-kafka.ts";
import {
  type OwnEngine,
  type OwnPostgres,
  startKafka,
  startNeo4j,
  startPostgres,
} from "#test/support/engines/own-engines.ts";
import { type ServiceProcess, startService } from "#test/support/engines/processes.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { openObserver } from "#test/support/engines/observer.ts";
import { eventually } from "#test/support/eventually.ts";
import { failoverCommand } from "../../tools/failover.ts";
import { ask } from "./client.ts";
import { expectHolds } from "./holds.ts";
import { type Model, produce } from "./producer.ts";
import { settled } from "./stack.ts";

if (distributed()) {
  describe("a failover of PostgreSQL to an older replica, with Kafka and Neo4j", () => {
    let postgres: FailoverPostgres;
    let engines: OwnEngine[];
    let env: Record<string, string>;
    let api: ServiceProcess;
    let consumer: ServiceProcess;
    /** An operator, who sees what is there, whatever the processes refuse. */
    let observer: OpenContext;
    const model: Model = { names: new Map(), edges: new Set() };

    beforeAll(async () => {
      const [kafka, neo4j] = await Promise.all([startKafka(), startNeo4j()]);
      engines = [kafka, neo4j];
      postgres = await startFailoverPostgres();
      env = {
        INSTANCE: "failover",
        EVENT_LOG_KAFKA_BROKERS: kafka.url,
        EVENT_LOG_KAFKA_PARTITIONS: "3",
        GRAPH_NEO4J_URL: neo4j.url,
        GRAPH_NEO4J_PASSWORD: neo4j.password,
        METADATA_POSTGRES_URL: postgres.url,
      };
      api = await startService({ service: "api", env });
      consumer = await startService({ service: "ingest-consumer", env });
      observer = await openObserver(env, { migrates: false });
    });
    afterAll(async () => {
      await Promise.all([api, consumer].map((process) => process?.kill()));
      await observer?.close();
      await postgres?.stop();
      await Promise.all((engines ?? []).map((engine) => engine.stop()));
    });

    const sourcesOf = (name: string) => [1, 2, 3].map((n) => `//failover/${name}/${n}`);

    /** Data sources are not in the log. */
    async function register(name: string): Promise<void> {
      const items = sourcesOf(name).map((catrn) => ({ catrn, name: catrn }));
      await eventually(async () => {
        const { status } = await ask(api.url, "POST", "/ingestion/datasources", { items });
        expect(status).toBe(200);
      });
    }

    /** Posts for a while, and waits until all of it had its effect in PostgreSQL and Neo4j. */
    async function post(name: string): Promise<void> {
      const over = new AbortController();
      const sources = sourcesOf(name);
      const producing = produce({ urls: [api.url], sources, seed: 5, until: over.signal });
      const { db } = observer.context;
      await eventually(async () => {
        const [row] = await db.query<{ n: number }>("SELECT count(*)::int AS n FROM applied_batch");
        expect(row!.n).toBeGreaterThan(6);
      });
      over.abort();
      const produced = await producing;
      for (const [catrn, text] of produced.model.names) model.names.set(catrn, text);
      for (const edge of produced.model.edges) model.edges.add(edge);
      await settled(observer);
    }

    const refuses = (process: ServiceProcess) =>
      eventually(async () => {
        const { status, json } = await ask(process.url, "GET", "/health/ready");
        expect([status, json.engines.metadata.state]).toEqual([503, "commits_missing"]);
      }, { within: 60_000, describe: () => process.output().slice(-3) });

    const holdsEverything = async () => {
      await settled(observer);
      await expectHolds(observer.context.db, model, "//failover/");
    };

    const batches = async () =>
      await observer.context.db.query("SELECT batch, part FROM applied_batch ORDER BY 1, 2");

    async function command(name: "status" | "accept"): Promise<{ code: number; text: string }> {
      let text = "";
      const output = { isTTY: false, write: (more: string) => void (text += more) };
      const code = await failoverCommand(observer.context, name, output);
      return { code, text };
    }

    it("is refused by processes that start after it, until the former primary is back", async () => {
      await post("first");
      await postgres.replicate();
      await post("second");
      await Promise.all([api.kill(), consumer.kill()]);
      await postgres.failOver();
      const before = await batches();
      const starting = [api.start(), consumer.start()];
      await Promise.all([refuses(api), refuses(consumer)]);
      const answer = await ask(api.url, "POST", "/ingestion/datasources", {
        items: [{ catrn: "//failover/refused", name: "refused" }],
      });
      expect(answer).toMatchObject({ status: 503, json: { code: "SYS002" } });
      expect(answer.json.message).toContain("`npm run failover -- accept`");
      expect(await batches()).toEqual(before);
      expect(await command("status")).toMatchObject({ code: 1 });
      await postgres.failBack();
      await Promise.all(starting);
      await post("third");
      await holdsEverything();
    });

    it("is refused by running processes, until it is accepted: then all that the log holds is there once", async () => {
      await register("fourth");
      await postgres.replicate();
      await post("fourth");
      await postgres.failOver();
      const before = await batches();
      await Promise.all([refuses(api), refuses(consumer)]);
      await eventually(async () => {
        const { json } = await ask(consumer.url, "GET", "/health/ready");
        const states = Object.entries<{ state: string }>(json.workers)
          .filter(([name]) => name.startsWith("consumer ")).map(([, { state }]) => state);
        expect(states).toEqual(["refused", "refused"]);
      });
      expect(await batches()).toEqual(before);
      const { code, text } = await command("accept");
      expect([code, text]).toEqual([0, expect.stringContaining("records are applied again")]);
      await Promise.all([api.start(), consumer.start()]);
      await holdsEverything();
      await post("fifth");
      await holdsEverything();
      expect(await command("status")).toMatchObject({ code: 0 });
      expect([api.ends(), consumer.ends()]).toEqual([0, 0]);
    });
  });

  describe("a Kafka that is restored from an older copy", () => {
    let kafka: OlderKafka;
    let postgres: OwnPostgres;
    let api: ServiceProcess;
    let consumer: ServiceProcess;
    let observer: OpenContext;

    beforeAll(async () => {
      [kafka, postgres] = await Promise.all([startOlderKafka(), startPostgres()]);
      const env = {
        INSTANCE: "older",
        EVENT_LOG_KAFKA_BROKERS: kafka.url,
        EVENT_LOG_KAFKA_PARTITIONS: "1",
        METADATA_POSTGRES_URL: postgres.url,
      };
      api = await startService({ service: "api", env });
      consumer = await startService({ service: "ingest-consumer", env });
      observer = await openObserver(env, { migrates: false });
    });
    afterAll(async () => {
      await Promise.all([api, consumer].map((process) => process?.kill()));
      await observer?.close();
      await Promise.all([kafka?.stop(), postgres?.stop()]);
    });

    const source = "//older/source";
    const bodyOf = (...tables: string[]) => ({
      data_source_catrn: source,
      items: tables.map((name) => ({
        ...{ catrn: `${source}/${name}`, name, type: "TABLE" },
        dataset: { field_list: [] },
      })),
    });

    const post = (...tables: string[]) =>
      eventually(async () => {
        const { status } = await ask(api.url, "POST", "/ingestion/entities", bodyOf(...tables));
        expect(status).toBe(200);
      });

    /** As a collector does that writes to Kafka itself, and has just started: without an identity. */
    const publish = async (...tables: string[]) => {
      const value = new TextEncoder().encode(JSON.stringify(bodyOf(...tables)));
      const record = { key: source, value, headers: {} };
      const { brokers, instance } = { brokers: [kafka.url], instance: "older" };
      const collector = openLog({ engine: "kafka", brokers, instance, sessionMs: 6_000 });
      try {
        const send = () => collector.publish(ingestionBatches, [record], { timeoutMs: 5_000 });
        const [at] = await eventually(send);
        return at!.offset;
      } finally {
        await collector.close();
      }
    };

    const tables = async () => {
      const rows = await observer.context.db.query<{ name: string }>(
        "SELECT external_name AS name FROM data_entity WHERE starts_with(catrn, $1) AND NOT hollow",
        [`${source}/`],
      );
      return rows.map(({ name }) => name).sort();
    };

    const refuses = (process: ServiceProcess) =>
      eventually(async () => {
        const { status, json } = await ask(process.url, "GET", "/health/ready");
        expect([status, json.engines["event-log"].state]).toEqual([503, "records_missing"]);
      }, { within: 90_000, describe: () => process.output().slice(-3) });

    it("is refused until that is accepted; then offsets that are given again are applied", async () => {
      const items = [{ catrn: source, name: "source" }];
      expect((await ask(api.url, "POST", "/ingestion/datasources", { items })).status).toBe(200);
      await post("a");
      await kafka.copy();
      await post("b");
      const offset = await publish("c");
      await eventually(async () => expect(await tables()).toEqual(["a", "b", "c"]));
      const { db } = observer.context;
      await eventually(async () => {
        const [row] = await db.query<{ committed: number }>(
          "SELECT committed FROM log_position WHERE topic = $1 AND consumer_group = $2",
          [ingestionBatches, ingestionGroup],
        );
        expect(row!.committed).toBe(offset + 1);
      }, { within: 60_000 });
      await api.kill();
      await kafka.putBack();
      const starting = api.start();
      await Promise.all([refuses(api), refuses(consumer)]);
      const refused = await ask(api.url, "POST", "/ingestion/entities", bodyOf("d"));
      expect([refused.status, refused.json.message]).toEqual([
        503,
        expect.stringContaining("Kafka has lost records"),
      ]);
      let text = "";
      const output = { isTTY: false, write: (more: string) => void (text += more) };
      expect(await failoverCommand(observer.context, "accept", output), text).toBe(0);
      await starting;
      await consumer.start();
      // The record of "b" was the first that is missing.
      const offsets = [await publish("d"), await publish("e")];
      expect(offsets).toContain(offset);
      await eventually(async () => expect(await tables()).toEqual(["a", "b", "c", "d", "e"]), {
        within: 60_000,
      });
      await post("f");
      expect(await tables()).toEqual(["a", "b", "c", "d", "e", "f"]);
      expect([api.ends(), consumer.ends()]).toEqual([0, 0]);
    });
  });
} else {
  describe("a failover of PostgreSQL to an older replica", () => {
    it("is not tested in this run: only the embedded engines are", () => {
      expect(distributed()).toBe(false);
    });
  });
}
