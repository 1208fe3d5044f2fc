import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#metadata/postgres/database.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  anEvent,
  announce,
  attemptsOf,
  deliveries,
  fastSender,
} from "#test/support/alerts/deliveries.ts";
import { eventually } from "#test/support/eventually.ts";
import { FakeChannel, sick } from "#test/support/alerts/fake-channel.ts";
import { type TcpProxy, tcpProxy } from "#test/support/engines/tcp-proxy.ts";

let t: TestDatabase;
let proxy: TcpProxy;
let db: Database;
let stop: () => Promise<void>;
beforeEach(async () => {
  t = await testDatabase();
  proxy = await tcpProxy(t.url);
  db = new Database({ url: proxy.url, max: 4, statementTimeoutMs: 2_000, applicationName: "test" });
});
afterEach(async () => {
  await proxy.open();
  await stop();
  await db.close();
  await proxy.close();
  await t.drop();
});

const sink = [{ channel: "webhook", recipient: "sink" }];
const states = async () => (await deliveries(t)).map((row) => row.state);

describe("Sender in an outage", () => {
  it("records what it sent once the metadata store is back, and sends it no second time", async () => {
    let release = () => {};
    const gate = new Promise<void>((open) => release = open);
    const channel = new FakeChannel({
      answer: async () => {
        await gate;
        return { kind: "delivered" };
      },
    });
    const started = fastSender(t, channel, { db, leaseMs: 60_000 });
    stop = started.stop;
    await started.sender.start(() => {});
    await announce(t, sink, [anEvent()]);
    await eventually(() => expect(channel.sent).toHaveLength(1));
    await proxy.cut();
    release();
    await eventually(() => {
      expect(started.sender.health()).toMatchObject({
        ready: false,
        state: "waiting_for_metadata",
      });
    });
    expect(await states()).toEqual(["pending"]);
    await proxy.open();
    await eventually(async () => expect(await states()).toEqual(["delivered"]));
    await eventually(() => expect(started.sender.health().state).toBe("running"));
    expect(channel.sent).toHaveLength(1);
    expect(await attemptsOf(t, channel.sent[0]!.deliveryId)).toEqual(["delivered"]);
  });

  it("tries a receiver that is down one message at a time, and all of them once it is back", async () => {
    const channel = new FakeChannel({ concurrency: 4, answer: () => sick });
    const retry = { initialMs: 30, maxMs: 100, budgetMs: 600_000 };
    const started = fastSender(t, channel, { db, retry });
    stop = started.stop;
    await started.sender.start(() => {});
    await announce(t, sink, Array.from({ length: 40 }, () => anEvent()));
    await eventually(() => expect(started.sender.health().state).toBe("paused"));
    expect(started.sender.health()).toMatchObject({ ready: false, detail: "the receiver failed" });
    await eventually(() => expect(channel.sent.length).toBeGreaterThan(10));
    const gaps = channel.sent.slice(4).map((sent, i) => sent.at - channel.sent[i + 3]!.at);
    expect(Math.min(...gaps.slice(1))).toBeGreaterThan(10);
    // Every attempt was another message's: nobody pays for the channel alone.
    expect(new Set(channel.sent.slice(0, 12).map((s) => s.deliveryId)).size).toBeGreaterThan(8);
    channel.answer = () => ({ kind: "delivered" });
    await eventually(async () => expect(new Set(await states())).toEqual(new Set(["delivered"])));
    await eventually(() => {
      expect(started.sender.health()).toEqual({ ready: true, state: "running" });
    });
  });
});
