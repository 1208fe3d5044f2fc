import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestionBatches, topics } from "#contract/topics.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Worker } from "#kit/worker.ts";
import { eventually } from "#test/support/eventually.ts";
import { openLog } from "#test/support/logs.ts";
import { consumerWorker } from "./consumer.ts";
import { type Harness, harness, httpRecord, table } from "./test-harness.ts";

let at: Harness;
let events: EventLog;
const workers: Worker[] = [];
beforeAll(async () => {
  at = await harness();
  events = openLog({ engine: "postgres", url: at.url, sessionMs: 1_000 });
  await events.ensureTopics(topics(4));
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await events.close();
  await at.drop();
});

async function start(pipeline = at.pipeline): Promise<Worker> {
  const worker = consumerWorker(events, pipeline);
  workers.push(worker);
  await worker.start((error) => {
    throw error;
  });
  return worker;
}

const publish = (key: string, ...posted: string[]) => {
  const records = posted.map((catrn) => {
    const { headers, value } = httpRecord([table(catrn)]);
    return { headers, value, key };
  });
  return events.publish(ingestionBatches, records, { timeoutMs: 5_000 });
};
const applied = async (...catrns: string[]) => {
  const rows = await at.rows("SELECT 1 FROM data_entity WHERE catrn = ANY($1)", catrns);
  expect(rows).toHaveLength(catrns.length);
};
const lag = async () =>
  (await events.lag("ingest-consumer", ingestionBatches)).reduce((sum, { lag }) => sum + lag, 0);

describe("consumerWorker", () => {
  it("applies records of several sources and commits their offsets", async () => {
    const worker = await start();
    const names = Array.from({ length: 12 }, (_, i) => `//k${i % 4}/t${i}`);
    for (const name of names) await publish(name.split("/")[2]!, name);
    await eventually(() => applied(...names), { describe: lag });
    await eventually(async () => expect(await lag()).toBe(0), { describe: lag });
    expect(worker.health().ready).toBe(true);
  });

  it("goes on after a poison record of the same partition", async () => {
    await events.publish(
      ingestionBatches,
      [{ key: "poison", value: new TextEncoder().encode("{"), headers: {} }],
      { timeoutMs: 5_000 },
    );
    await publish("poison", "//poison/after");
    await eventually(() => applied("//poison/after"), { describe: lag });
    expect(at.letters.map((letter) => letter.reason)).toContain("invalid_body");
  });

  it("delivers again after a failure that is not the record's fault, without a dead letter", async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    let failures = 2;
    const failing = at.pipelineOver((work) =>
      failures-- > 0 ? Promise.reject(new Error("Connection terminated")) : at.db.transaction(work)
    );
    at.letters.length = 0;
    await start(failing);
    await publish("outage", "//outage/1", "//outage/2");
    await eventually(() => applied("//outage/1", "//outage/2"), { describe: lag, within: 20_000 });
    expect(failures).toBeLessThan(0);
    expect(at.letters).toEqual([]);
  });
});
