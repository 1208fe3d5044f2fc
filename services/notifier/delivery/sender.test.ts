import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "#platform/outbox/queue.ts";
import type { Channel } from "#services/notifier/channels/channel.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import {
  anEvent,
  announce,
  attemptsOf,
  deliveries,
  fastSender,
} from "#test/support/alerts/deliveries.ts";
import { eventually } from "#test/support/eventually.ts";
import { busy, FakeChannel, refused, sick } from "#test/support/alerts/fake-channel.ts";
import { countedDatabase } from "#test/support/statements/counted.ts";

let t: TestDatabase;
let running: { stop(): Promise<void> }[];
beforeEach(async () => {
  t = await testDatabase();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await t.drop();
});

const sink = [{ channel: "webhook", recipient: "sink" }];

async function start(channel: Channel, options: Parameters<typeof fastSender>[2] = {}) {
  const started = fastSender(t, channel, options);
  running.push(started);
  await started.sender.start((error) => {
    throw error;
  });
  return started.sender;
}

const states = async () => (await deliveries(t)).map((row) => row.state);
const allEnded = (count: number) =>
  eventually(async () => {
    const all = await states();
    expect(all.filter((state) => state !== "pending")).toHaveLength(count);
    return all;
  }, { describe: () => deliveries(t) });

describe("Sender", () => {
  it("sends each delivery once, with its id and message, and keeps the attempt", async () => {
    const channel = new FakeChannel();
    await start(channel);
    await announce(t, sink, [anEvent(), anEvent({ alert_type: "FAILED_DQ_TEST" })]);
    expect(await allEnded(2)).toEqual(["delivered", "delivered"]);
    const rows = await deliveries(t);
    expect(channel.sent.map((s) => s.deliveryId).sort()).toEqual(rows.map((r) => r.id).sort());
    expect(channel.sent.map((s) => s.message.alert_type).sort())
      .toEqual(["FAILED_DQ_TEST", "FAILED_JOB"]);
    expect(await attemptsOf(t, rows[0]!.id)).toEqual(["delivered"]);
  });

  it("tries again with the same id, whether the message or the channel failed", async () => {
    const answers: Outcome[] = [busy, sick, { kind: "delivered", status: 200 }];
    const channel = new FakeChannel({ answer: () => answers.shift()! });
    await start(channel);
    await announce(t, sink, [anEvent()]);
    expect(await allEnded(1)).toEqual(["delivered"]);
    expect(new Set(channel.sent.map((s) => s.deliveryId)).size).toBe(1);
    expect(await attemptsOf(t, channel.sent[0]!.deliveryId))
      .toEqual(["retry", "retry", "delivered"]);
  });

  it("ends what is refused, and what has used up its budget, each with its cause", async () => {
    const [first] = await announce(t, sink, [anEvent(), anEvent()]);
    const channel = new FakeChannel({
      concurrency: 1,
      answer: ({ deliveryId }) => (deliveryId === refusedId ? refused : busy),
    });
    const refusedId = (await deliveries(t)).find((row) => row.event_id === first!.id)!.id;
    await start(channel, { retry: { initialMs: 20, maxMs: 40, budgetMs: 100 } });
    expect(await allEnded(2)).toEqual(["failed", "failed"]);
    const reasons = (await deliveries(t)).map((row) => row.reason);
    expect(reasons[0]).toBe("not taken");
    expect(reasons[1]).toMatch(/^failed after \d+ attempts: not now$/);
  });

  it("sends a failed delivery again when an operator asks for it", async () => {
    const channel = new FakeChannel({ answer: () => refused });
    await start(channel);
    await announce(t, sink, [anEvent()]);
    expect(await allEnded(1)).toEqual(["failed"]);
    channel.answer = () => ({ kind: "delivered" });
    await t.db.query("SELECT delivery_resend(ARRAY(SELECT id FROM delivery))");
    await eventually(async () => expect(await states()).toEqual(["delivered"]));
    expect(await attemptsOf(t, channel.sent[0]!.deliveryId)).toEqual(["refused", "delivered"]);
  });

  it("survives a channel that throws or never ends", async () => {
    let calls = 0;
    const channel = new FakeChannel({
      answer: () => {
        calls++;
        if (calls === 1) throw new Error("https://secret@host");
        return calls === 2 ? new Promise(() => {}) : { kind: "delivered" };
      },
    });
    await start(channel, { timeoutMs: 50 });
    await announce(t, sink, [anEvent()]);
    expect(await allEnded(1)).toEqual(["delivered"]);
    const causes = await t.db.query("SELECT cause FROM delivery_attempt ORDER BY number");
    expect(causes.map((row) => row.cause))
      .toEqual(["the channel broke (Error)", "no end within 50 ms", null]);
  });

  it("records attempts that end together with one statement, and claims that many again", async () => {
    const counted = countedDatabase(t.db);
    let release = () => {};
    let opened = new Promise<void>((open) => release = open);
    const channel = new FakeChannel({
      answer: async () => {
        if (channel.sent.length % 8 === 0) {
          release();
          opened = new Promise<void>((open) => release = open);
        } else await opened;
        return { kind: "delivered" };
      },
    });
    await announce(t, sink, Array.from({ length: 32 }, () => anEvent()));
    const { statements } = await counted.during(async () => {
      await start(channel, { db: counted.db, pollMs: 60_000, leaseMs: 60_000 });
      await allEnded(32);
    });
    const count = (name: string) => statements.filter((one) => one === name).length;
    expect(count("notifier-record")).toBe(4);
    expect(count("notifier-messages")).toBe(4);
  });

  it("lets a delivery wait only for earlier ones of its alert and recipient", async () => {
    const blocked = anEvent();
    const later = anEvent({ alert_id: blocked.alert_id, event_type: "RESOLVED" });
    const other = anEvent();
    const order: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((open) => release = open);
    const channel = new FakeChannel({
      recipients: ["a", "b"],
      answer: async ({ recipient, message, deliveryId }) => {
        if (recipient === "a" && deliveryId === delayedId) await gate;
        order.push(`${recipient} ${message.event_type}`);
        return { kind: "delivered" };
      },
    });
    const routes = ["a", "b"].map((recipient) => ({ channel: "webhook", recipient }));
    await announce(t, routes, [blocked, later, other]);
    const delayedId = (await deliveries(t))
      .find((row) => row.event_id === blocked.id && row.recipient === "a")!.id;
    await start(channel);
    await eventually(() => expect(order).toHaveLength(4));
    expect(order).toContain("b RESOLVED");
    expect(order).not.toContain("a RESOLVED");
    release();
    expect(await allEnded(6)).toEqual(Array(6).fill("delivered"));
    expect(order.slice(4)).toEqual(["a CREATED", "a RESOLVED"]);
  });

  it("finishes what is in flight when it stops, and takes nothing more", async () => {
    let release = () => {};
    const gate = new Promise<void>((open) => release = open);
    const channel = new FakeChannel({
      concurrency: 1,
      answer: async () => {
        await gate;
        return { kind: "delivered" };
      },
    });
    const sender = await start(channel);
    await announce(t, sink, [anEvent(), anEvent()]);
    await eventually(() => expect(channel.sent).toHaveLength(1));
    const stopped = sender.stop();
    release();
    await stopped;
    expect((await states()).sort()).toEqual(["delivered", "pending"]);
    expect(channel.sent).toHaveLength(1);
  });
});

describe("Senders that share a queue", () => {
  it("take over what another left in the midst, with the same delivery id", async () => {
    const stuck = new FakeChannel({ concurrency: 1, answer: () => new Promise(() => {}) });
    await start(stuck, { leaseMs: 300, timeoutMs: 50 });
    await announce(t, sink, [anEvent()]);
    await eventually(() => expect(stuck.sent).toHaveLength(1));
    const channel = new FakeChannel();
    await start(channel);
    expect(await allEnded(1)).toEqual(["delivered"]);
    expect(channel.sent[0]!.deliveryId).toBe(stuck.sent[0]!.deliveryId);
    // What came of the first attempt is told late, and changes nothing any more.
    await eventually(async () => {
      expect(await attemptsOf(t, stuck.sent[0]!.deliveryId)).toEqual(["retry", "delivered"]);
    });
    expect(await states()).toEqual(["delivered"]);
    expect([...stuck.sent, ...channel.sent]).toHaveLength(2);
  });

  it("never send more often than the channel's interval allows", async () => {
    const channels = [0, 1, 2].map(() => new FakeChannel({ intervalMs: 60 }));
    for (const channel of channels) await start(channel);
    await announce(t, sink, Array.from({ length: 12 }, () => anEvent()));
    expect(await allEnded(12)).toEqual(Array(12).fill("delivered"));
    const times = channels.flatMap((c) => c.sent.map((s) => s.at)).sort((a, b) => a - b);
    const gaps = times.slice(1).map((at, i) => at - times[i]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60);
  });

  it("send each delivery once between them", async () => {
    const channels = [0, 1].map(() => new FakeChannel());
    for (const channel of channels) await start(channel);
    await announce(t, sink, Array.from({ length: 300 }, () => anEvent()));
    await allEnded(300);
    const ids = channels.flatMap((c) => c.sent.map((s) => s.deliveryId));
    expect(new Set(ids).size).toBe(300);
    expect(ids).toHaveLength(300);
  });
});
