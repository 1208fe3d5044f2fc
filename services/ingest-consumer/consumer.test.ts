import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composedBatches, ingestionBatches, topics } from "#contract/topics.ts";
import { lowPriorityHeaders } from "#contract/ingestion/frame.ts";
import type { EventLog } from "#eventlog/port.ts";
import type { Worker } from "#kit/worker.ts";
import { distributed, kafkaBrokers } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { type LogTarget, openLog } from "#test/support/engines/logs.ts";
import { spawnTied, type TiedProcess } from "#test/support/engines/tied.ts";
import { consumerWorkers } from "./consumer.ts";
import { directRecord, type Harness, harness, httpRecord, job, table } from "./testing/harness.ts";

const engines = distributed() ? ["postgres", "kafka"] as const : ["postgres"] as const;

function targetOn(engine: "postgres" | "kafka", { url, name }: Harness): LogTarget {
  if (engine === "postgres") return { engine, url, sessionMs: 1_000 };
  return { engine, brokers: kafkaBrokers(), instance: name, sessionMs: 6_000 };
}

describe.each(engines)("consumerWorkers on %s", (engine) => {
  let at: Harness;
  let target: LogTarget;
  let events: EventLog;
  const workers: Worker[] = [];
  const children: TiedProcess[] = [];

  beforeAll(async () => {
    at = await harness();
    target = targetOn(engine, at);
    events = openLog(target);
    await events.ensureTopics(topics(4));
  });
  afterAll(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await stopAll();
    await events.close();
    await at.drop();
  });

  const stopAll = () => Promise.all(workers.splice(0).map((worker) => worker.stop()));

  async function start(pipeline = at.pipeline): Promise<Worker> {
    const begun = consumerWorkers(events, pipeline);
    workers.push(...begun);
    for (const worker of begun) {
      await worker.start((error) => {
        throw error;
      });
    }
    return begun[0]!;
  }

  function startChild(): TiedProcess {
    const script = fileURLToPath(new URL("./testing/child.ts", import.meta.url));
    const child = spawnTied(process.execPath, ["run", "-A", script], {
      env: { ...process.env, INGEST_CHILD: JSON.stringify({ target, url: at.url }) },
      onLine: (line) => process.stderr.write(`${line}\n`),
    });
    children.push(child);
    return child;
  }

  const publish = async (key: string, ...items: ReturnType<typeof table>[][]) => {
    const records = items.map((posted) => {
      const { headers, value } = httpRecord(posted);
      return { headers, value, key };
    });
    await events.publish(ingestionBatches, records, { timeoutMs: 10_000 });
  };
  const applied = async (pattern: string) => {
    const [row] = await at.rows<{ n: number }>(
      "SELECT count(*) AS n FROM data_entity WHERE catrn LIKE $1 AND NOT hollow",
      pattern,
    );
    return row!.n;
  };
  const lags = () => events.lag("ingest-consumer", ingestionBatches);
  const caughtUp = () =>
    eventually(async () => {
      expect((await lags()).reduce((sum, { lag }) => sum + lag, 0)).toBe(0);
    }, { describe: lags, within: 40_000 });

  it("applies records of several sources and commits their offsets", async () => {
    const worker = await start();
    for (let i = 0; i < 12; i++) await publish(`k${i % 4}`, [table(`//k${i % 4}/t${i}`)]);
    await caughtUp();
    expect(await applied("//k%")).toBe(12);
    expect(worker.health().ready).toBe(true);
  });

  it("applies what a collector posts while a composed batch of the same source is being applied", async () => {
    await stopAll();
    const [entered, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let first = true;
    await start(at.pipelineOver(async (work) => {
      if (first) {
        first = false;
        entered.resolve();
        await finish.promise;
      }
      return await at.db.transaction(work);
    }));
    const { headers, value } = httpRecord([table("//beside/composed")]);
    const composed = {
      key: "beside",
      value,
      headers: { ...headers, ...lowPriorityHeaders(Date.now()) },
    };
    await events.publish(composedBatches, [composed], { timeoutMs: 10_000 });
    await entered.promise;
    await publish("beside", [table("//beside/posted")]);
    await caughtUp();
    expect([await applied("//beside/posted"), await applied("//beside/composed")]).toEqual([1, 0]);
    finish.resolve();
    await eventually(async () => expect(await applied("//beside/composed")).toBe(1), {
      describe: lags,
    });
    await stopAll();
    await start();
  });

  it("goes on after a poison record of the same partition", async () => {
    const { headers, value } = directRecord("{");
    await events.publish(ingestionBatches, [{ key: "p", value, headers }], { timeoutMs: 10_000 });
    await publish("p", [table("//poison/after")]);
    await caughtUp();
    expect(await applied("//poison/after")).toBe(1);
    expect(at.deadLetters.splice(0).map((deadLetter) => deadLetter.reason)).toEqual([
      "invalid_body",
    ]);
  });

  it("delivers again after a failure that is not the record's fault, without a dead letter", async () => {
    await stopAll();
    let failures = 2;
    await start(
      at.pipelineOver((work) =>
        failures-- > 0
          ? Promise.reject(new Error("Connection terminated"))
          : at.db.transaction(work)
      ),
    );
    await publish("outage", [table("//outage/1")], [table("//outage/2")]);
    await caughtUp();
    expect(await applied("//outage/%")).toBe(2);
    expect(failures).toBeLessThan(0);
    expect(at.deadLetters).toEqual([]);
  });

  it("loses nothing and does nothing twice when one of two consumers is killed at work", async () => {
    await stopAll();
    const child = startChild();
    const total = 60;
    for (let i = 0; i < total; i++) {
      await publish(`crash${i}`, [
        job(`//crash/${i}`, ["//up"], ["//down"]),
        table(`//crash/t${i}`),
      ]);
    }
    await eventually(async () => expect(await applied("//crash/%")).toBeGreaterThan(4), {
      describe: lags,
    });
    await child.kill();
    await start();
    await caughtUp();
    expect(await applied("//crash/%")).toBe(2 * total);
    const effects = await at.rows(
      `SELECT (SELECT count(*) FROM activity a JOIN data_entity e ON e.id = a.entity_id
                WHERE e.catrn LIKE '//crash/%') AS events,
              (SELECT count(*) FROM lineage_edge x JOIN data_entity e ON e.id = x.establisher_id
                WHERE e.catrn LIKE '//crash/%') AS edges,
              (SELECT count(*) FROM lineage_outbox o JOIN data_entity e ON e.id = ANY(o.entity_ids)
                WHERE e.catrn LIKE '//crash/%') AS moves`,
    );
    expect(effects).toEqual([{ events: 2 * total, edges: 2 * total, moves: total }]);
  });
});
