import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DeliveryQueue } from "#services/notifier/delivery/queue.ts";
import { anEvent, announce, deliveries, fastSender } from "#test/support/alerts/deliveries.ts";
import { busy, FakeChannel } from "#test/support/alerts/fake-channel.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { type CountedDatabase, countedDatabase } from "#test/support/statements/counted.ts";

let t: TestDatabase;
let stop = () => Promise.resolve();
beforeEach(async () => void (t = await testDatabase()));
afterEach(async () => {
  await stop();
  await t.drop();
  vi.restoreAllMocks();
});

const sink = [{ channel: "webhook", recipient: "sink" }];
const deaf = { on: () => () => {} } as never;

async function start(options: Parameters<typeof fastSender>[2] = {}, channel = new FakeChannel()) {
  const started = fastSender(t, channel, options);
  stop = started.stop;
  await started.sender.start((error) => {
    throw error;
  });
  return { channel, sender: started.sender };
}

/** Waits for some polls of a sender that has nothing to do; statements and transactions meanwhile. */
async function idlePolls({ db, during }: CountedDatabase) {
  const [claim, transaction] = [
    vi.spyOn(DeliveryQueue.prototype, "claim"),
    vi.spyOn(db, "transaction"),
  ];
  await eventually(() => expect(claim.mock.calls.length).toBeGreaterThanOrEqual(2));
  claim.mockClear();
  transaction.mockClear();
  const { statements } = await during(() =>
    eventually(() => expect(claim.mock.calls.length).toBeGreaterThanOrEqual(4))
  );
  return { statements: [...new Set(statements)], transactions: transaction.mock.calls.length };
}

it("an idle sender polls without a transaction, and finds a row that nobody announced to it", async () => {
  const counted = countedDatabase(t.db);
  const { channel } = await start({ wakeups: deaf, db: counted.db });
  expect(await idlePolls(counted)).toEqual({ statements: ["notifier-claim"], transactions: 0 });
  await announce(t, sink, [anEvent()]);
  await eventually(async () => expect((await deliveries(t))[0]!.state).toBe("delivered"));
  expect(channel.sent).toHaveLength(1);
});

const options = {
  channel: "webhook",
  recipients: ["sink"],
  intervalMs: 0,
  attemptMs: 1_000,
  leaseMs: 2_000,
  pause: { initialMs: 20, maxMs: 40 },
};

it.each([0, 1_000])(
  "a poll writes nothing while nothing is due, at an interval of %i ms",
  async (intervalMs) => {
    await new DeliveryQueue(t.db, options).open();
    const written = await t.db.transaction(async (tx) => {
      const claims = new DeliveryQueue(tx as never, { ...options, intervalMs });
      expect((await claims.claim(8)).items).toEqual([]);
      return await tx.query("SELECT pg_current_xact_id_if_assigned()::text AS id");
    });
    expect(written).toEqual([{ id: null }]);
  },
);

it("a poll is one statement while nothing is due", async () => {
  const counted = countedDatabase(t.db);
  const claims = new DeliveryQueue(counted.db, options);
  await claims.open();
  const { outcome, statements } = await counted.during(() => claims.claim(8));
  expect(statements).toEqual(["notifier-claim"]);
  expect(outcome).toEqual({ items: [], waitMs: undefined, problem: null, paused: false });
  await announce(t, sink, [anEvent()]);
  expect((await claims.claim(8)).items).toHaveLength(1);
  expect((await claims.claim(8)).items).toEqual([]);
});

it("a wake-up claims at once, without asking first", async () => {
  const counted = countedDatabase(t.db);
  const measured = vi.spyOn(DeliveryQueue.prototype, "size");
  const { channel } = await start({ pollMs: 60_000, db: counted.db });
  await eventually(() => expect(measured.mock.results).toHaveLength(1));
  await measured.mock.results[0]!.value;
  const { statements } = await counted.during(async () => {
    await announce(t, sink, [anEvent()]);
    await eventually(() => expect(channel.sent).toHaveLength(1));
  });
  // The listener wakes the sender as well once it is connected, which may be after the first poll.
  const first = statements.findIndex((name) => name !== "notifier-claim");
  expect([first > 0, statements[first]]).toEqual([true, "notifier-messages"]);
});

it("an idle sender still tells that another one paused the channel, and when it sends again", async () => {
  const counted = countedDatabase(t.db);
  const { sender } = await start({ wakeups: deaf, db: counted.db });
  await idlePolls(counted);
  await t.db.query(
    `UPDATE notification_channel SET failures = 3, pause_cause = 'no answer',
            paused_until = now() + interval '1 hour'`,
  );
  await eventually(() =>
    expect(sender.health()).toEqual({ ready: false, state: "paused", detail: "no answer" })
  );
  await t.db.query(
    "UPDATE notification_channel SET failures = 0, pause_cause = NULL, paused_until = NULL",
  );
  await eventually(() => expect(sender.health()).toEqual({ ready: true, state: "running" }));
});

it("what is to be tried again goes out when it is due, not at the next poll", async () => {
  let attempts = 0;
  const channel = new FakeChannel({
    answer: () => ++attempts === 1 ? busy : { kind: "delivered" },
  });
  await start({ wakeups: deaf, pollMs: 60_000 }, channel);
  await stop();
  await announce(t, sink, [anEvent()]);
  await start({ wakeups: deaf, pollMs: 60_000 }, channel);
  await eventually(() => expect(channel.sent).toHaveLength(2));
});
