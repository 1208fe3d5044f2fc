import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Arrival,
  deliveryLog,
  expectExplained,
} from "#test/support/alerts/delivery-account.ts";
import { markOf, raiseAlerts } from "#test/support/alerts/raise-alerts.ts";
import { distributed } from "#test/support/engines/engines.ts";
import { eventually } from "#test/support/eventually.ts";
import { type HttpSink, startHttpSink } from "#test/support/http/http-sink.ts";
import { seeded } from "#test/support/random.ts";
import { type CampaignStack, startCampaignStack } from "./campaign-stack.ts";
import { campaign } from "./fault-kinds.ts";
import { expectHolds } from "./holds.ts";
import { produce } from "./producer.ts";
import { allReady } from "./recoveries.ts";
import { settled } from "./stack.ts";

const faults = 100;
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 100_000);

/** Milliseconds in which everything goes on after a fault. */
const within = 240_000;

if (distributed()) {
  describe("a campaign against distributed engines", () => {
    let stack: CampaignStack;
    let webhook: HttpSink;
    beforeAll(async () => {
      webhook = await startHttpSink();
      stack = await startCampaignStack(webhook);
    });
    afterAll(async () => {
      await stack?.close();
      await webhook?.close();
    });

    /** Marks of the alerts that were acknowledged. */
    const marks: number[] = [];

    /** Each API takes a data source and an alert. */
    const calm = async () => {
      const { api1, api2 } = stack.processes;
      await eventually(async () => {
        await stack.supervise();
        for (const { url } of [api1, api2]) {
          const items = [{ catrn: "//calm/source", name: "calm" }];
          const { status, text } = await post(url, "/ingestion/datasources", { items });
          expect([status, text]).toEqual([200, expect.any(String)]);
          const send = async (_method: string, path: string, body: unknown) =>
            (await post(url, path, body)).response;
          marks.push(...await raiseAlerts({ send } as Parameters<typeof raiseAlerts>[0], 1));
        }
      }, { within, describe: lastLines });
    };
    const lastLines = () =>
      Object.values(stack.processes).flatMap(({ name, output }) =>
        output().slice(-6).map((line) => `${name}: ${line}`)
      );

    it(`${faults} faults: all that was acknowledged is there once, and the graph equals it (seed ${seed})`, async () => {
      const { processes, observer, kinds, lacks } = stack;
      for (const kind of lacks) console.log(`Not struck: ${kind}`);
      const over = new AbortController();
      const sources = ["a", "b", "c"].map((name) => `//campaign/${name}`);
      const urls = [processes.api1.url, processes.api2.url];
      const producing = produce({ urls, sources, seed, until: over.signal });
      const striking = campaign(shuffled(kinds), { count: faults, seed, calm });
      await Promise.race([striking, producing]);
      const struck = await striking;
      over.abort();
      const { model, failures } = await producing;
      const ends = Object.values(processes).map(({ name, ends }) => [name, ends()]);
      console.log(JSON.stringify({ struck: Object.fromEntries(struck), failures, ends }));
      await allReady(Object.values(processes));
      await settled(observer);
      await expectHolds(observer.context.db, model, "//campaign/");
    });

    it("every alert of it was announced, and once unless nobody saw the end of an attempt", async () => {
      const { db } = stack.observer.context;
      expect(marks.length).toBeGreaterThanOrEqual(faults);
      const log = await eventually(async () => {
        const rows = await deliveryLog(db);
        expect(rows.filter(({ state }) => state !== "delivered")).toEqual([]);
        const known = new Set(webhook.requests.map(({ body }) => markOf(body)));
        expect(marks.filter((mark) => !known.has(mark))).toEqual([]);
        return rows;
      }, { within, describe: lastLines });
      const arrivals = webhook.requests.map(({ headers }): Arrival => (
        { deliveryId: headers["webhook-id"] ?? "none", taken: true }
      ));
      console.log(`${log.length} deliveries, ${expectExplained(log, arrivals)} of them repeated`);
    });
  });
} else {
  it("a campaign against distributed engines is not run here: only the embedded engines are", () => {
    expect(distributed()).toBe(false);
  });
}

async function post(url: string, path: string, body: unknown) {
  const response = await fetch(new URL(path, url), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return { status: response.status, text, response };
}

/** So that kinds which stand side by side do not always follow each other. */
function shuffled<T>(list: T[]): T[] {
  const random = seeded(seed);
  return list.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at).map(({ one }) =>
    one
  );
}
