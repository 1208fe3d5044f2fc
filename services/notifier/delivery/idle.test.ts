import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Claim, Claims } from "#services/notifier/delivery/claims.ts";
import { anEvent, announce, deliveries, fastSender } from "#test/support/alerts/deliveries.ts";
import { busy, FakeChannel } from "#test/support/alerts/fake-channel.ts";
import { type TestDatabase, testDatabase } from "#test/support/engines/database.ts";
import { eventually } from "#test/support/eventually.ts";
import { countedDatabase } from "#test/support/statements/counted.ts";

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

/** Waits for some polls of a sender that has nothing to do; how often it claimed meanwhile. */
async function claimsInIdlePolls(): Promise<number> {
  const [peek, take] = [vi.spyOn(Claims.prototype, "peek"), vi.spyOn(Claims.prototype, "take")];
  await eventually(() => expect(peek.mock.calls.length).toBeGreaterThanOrEqual(2));
  take.mockClear();
  peek.mockClear();
  await eventually(() => expect(peek.mock.calls.length).toBeGreaterThanOrEqual(4));
  return take.mock.calls.length;
}

it("an idle sender polls without a transaction, and finds a row that nobody announced to it", async () => {
  const { channel } = await start({ wakeups: deaf });
  expect(await claimsInIdlePolls()).toBe(0);
  await announce(t, sink, [anEvent()]);
  await eventually(async () => expect((await deliveries(t))[0]!.state).toBe("delivered"));
  expect(channel.sent).toHaveLength(1);
});

it("a poll is one statement while nothing is due", async () => {
  const counted = countedDatabase(t.db);
  const claims = new Claims(counted.db, {
    channel: "webhook",
    recipients: ["sink"],
    intervalMs: 0,
    timeoutMs: 1_000,
    leaseMs: 2_000,
  });
  await claims.ensureChannel();
  const { outcome, statements } = await counted.during(() => claims.peek());
  expect(statements).toEqual(["notifier-peek"]);
  expect(outcome).toEqual(await claims.take(8));
  await announce(t, sink, [anEvent()]);
  expect(await claims.peek()).toBeNull();
  expect((await claims.take(8)).rows).toHaveLength(1);
  const claimed: Claim | null = await claims.peek();
  expect(claimed?.rows).toEqual([]);
});

it("a wake-up claims at once, without asking first", async () => {
  const { channel } = await start({ pollMs: 60_000 });
  const take = vi.spyOn(Claims.prototype, "take");
  const peek = vi.spyOn(Claims.prototype, "peek");
  await announce(t, sink, [anEvent()]);
  await eventually(() => expect(channel.sent).toHaveLength(1));
  // Afterwards it looks for more.
  const [first] = take.mock.invocationCallOrder;
  expect(first).toBeLessThan(peek.mock.invocationCallOrder[0] ?? Infinity);
});

it("an idle sender still tells that another one paused the channel, and when it sends again", async () => {
  const { sender } = await start({ wakeups: deaf });
  await claimsInIdlePolls();
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
