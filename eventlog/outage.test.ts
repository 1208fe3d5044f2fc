import { afterEach, describe, expect, it } from "vitest";
import type { EventLog } from "#eventlog/port.ts";
import { Membership } from "#eventlog/postgres/partition.ts";
import { AppError } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import type { Worker } from "#kit/worker.ts";
import { Database } from "#metadata/postgres/database.ts";
import { migrate } from "#metadata/schema/migrate.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { openLog } from "#test/support/engines/logs.ts";
import { sized } from "#test/support/size.ts";
import { type OwnEngine, startKafka, startPostgres } from "#test/support/engines/own-engines.ts";

const topic = "outage";
const sessionMs = 6_000;

interface Outage {
  own: OwnEngine;
  worker: Worker;
  log: EventLog;
  acknowledged: string[];
  received: string[];
  publish(text: string, timeoutMs: number): Promise<void>;
  end(): Promise<void>;
}

async function onPostgres(): Promise<Outage> {
  const own = await startPostgres();
  await migrate(own.url, silentLogger);
  return outage(own, openLog({ engine: "postgres", url: own.url, sessionMs }));
}

async function onKafka(): Promise<Outage> {
  const own = await startKafka();
  const brokers = [own.url];
  return outage(own, openLog({ engine: "kafka", brokers, instance: "outage", sessionMs }));
}

async function outage(own: OwnEngine, log: EventLog): Promise<Outage> {
  const [acknowledged, received] = [[] as string[], [] as string[]];
  const spec = { name: topic, partitions: 2, maxRecordBytes: 1e6, retentionMs: 3_600_000 };
  await log.ensureTopics([spec]);
  const worker = log.consumer({
    group: "group",
    topic,
    maxRecords: 10,
    maxBytes: 1e6,
    concurrency: 2,
    handler: (records) => {
      received.push(...records.map((r) => new TextDecoder().decode(r.value)));
      return Promise.resolve();
    },
  });
  await worker.start((error) => acknowledged.push(`the consumer crashed: ${error}`));
  return {
    own,
    worker,
    log,
    acknowledged,
    received,
    async publish(text, timeoutMs) {
      const record = { key: text, value: new TextEncoder().encode(text), headers: {} };
      await log.publish(topic, [record], { timeoutMs });
      acknowledged.push(text);
    },
    async end() {
      own.resume();
      await worker.stop();
      await log.close();
      await own.stop();
    },
  };
}

async function refusedInTime({ publish }: Outage): Promise<void> {
  const started = Date.now();
  const error = await publish("while it is away", 1_000).catch((e) => e);
  expect(error).toBeInstanceOf(AppError);
  expect(error.status).toBe(503);
  expect(Date.now() - started).toBeLessThan(2_000);
}

async function resumes({ publish, received, acknowledged }: Outage, what: string): Promise<void> {
  await eventually(() => publish(what, 1_000));
  const whole = () => expect(acknowledged.filter((text) => !received.includes(text))).toEqual([]);
  await eventually(whole, { describe: () => ({ acknowledged, received }) });
}

const engines = { postgres: onPostgres, ...(distributed() && { kafka: onKafka }) };

describe("event log on postgres, restarted with its server", () => {
  it("waits for no session that ended with the server", async () => {
    const own = await startPostgres();
    await migrate(own.url, silentLogger);
    const sessionMs = 600_000;
    const state = await outage(own, openLog({ engine: "postgres", url: own.url, sessionMs }));
    await eventually(() => expect(state.worker.health().state).toBe("running"));
    await state.worker.stop();
    const options = { max: 1, statementTimeoutMs: 5_000, applicationName: "test" };
    const db = new Database({ url: own.url, ...options });
    await Membership.join({ db, group: "group", topic, sessionMs, from: "earliest" });
    await own.kill();
    await own.restart();
    await state.worker.start(() => {});
    const texts = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (const text of texts) await eventually(() => state.publish(text, 2_000));
    await eventually(() => expect([...new Set(state.received)].sort()).toEqual(texts));
    await db.close();
    await state.end();
  });
});

describe.each(Object.entries(engines))("event log on %s", (engine, start) => {
  let state: Outage | undefined;
  afterEach(() => state?.end());

  it(
    "refuses in time while its engine is away, loses nothing acknowledged, resumes by itself",
    async () => {
      state = await start();
      for (let i = 0; i < 20; i++) await state.publish(`before.${i}`, 10_000);
      for (let round = 1; round <= sized(1, 2); round++) {
        await state.own.kill();
        await refusedInTime(state);
        await state.own.restart();
        await resumes(state, `after kill ${round}`);
      }
      // Only Kafka must refuse here; own-engines.test.ts shows that a paused PostgreSQL answers nobody.
      await state.own.pause();
      if (engine === "kafka") await refusedInTime(state);
      state.own.resume();
      await resumes(state, "after pause");
      // Allows for three starts of a broker, which are slow.
    },
  );
});
