import { trace } from "@opentelemetry/api";
import { afterEach, expect, it } from "vitest";
import { systemClock } from "#kit/clock.ts";
import { unavailable } from "#kit/errors.ts";
import { silentLogger } from "#kit/log.ts";
import { Outbox } from "#platform/outbox/outbox.ts";
import {
  type ClaimedItem,
  type EndedAttempt,
  type OutboxQueue,
  type Outcome,
  type Unsent,
  withinBudget,
} from "#platform/outbox/queue.ts";
import { eventually } from "#test/support/eventually.ts";

type EndedItem = EndedAttempt<ClaimedItem>;

/** A queue in memory, which notes each statement that records. */
class FakeQueue implements OutboxQueue<ClaimedItem> {
  readonly recorded: EndedItem[][] = [];
  /** Throws where a test says so. */
  refuse: (ended: EndedItem[]) => void = () => {};
  #due: number[];

  constructor(items: number) {
    this.#due = Array.from({ length: items }, (_, n) => n);
  }

  claim(max: number) {
    const items = this.#due.splice(0, max).map((id) => ({
      id,
      number: 1,
      traceparent: null,
      spentMs: 0,
      ageMs: 0,
      sendBefore: Infinity,
    }));
    return Promise.resolve({ items, waitMs: undefined, problem: null, paused: false });
  }

  settle(ended: EndedItem[]): Promise<void> {
    this.refuse(ended);
    this.recorded.push(ended);
    return Promise.resolve();
  }

  size = () => Promise.resolve({ pending: 0, oldest: 0 });
  states = () => this.recorded.flat().map(({ item, result }) => [item.id, result.state]);
}

let outbox: Outbox<ClaimedItem> | undefined;
afterEach(() => outbox?.stop());

async function start(
  queue: FakeQueue,
  send: (item: ClaimedItem, signal: AbortSignal) => Promise<Outcome | Unsent>,
  drainMs = 1_000,
): Promise<Outbox<ClaimedItem>> {
  const rules = { initialMs: 10, maxMs: 10, budgetMs: 60_000 };
  outbox = new Outbox({
    name: "outbox",
    queue,
    channel: { concurrency: 4, send },
    policy: { ...withinBudget(rules), attemptMs: 5_000, drainMs },
    span: {
      tracer: trace.getTracer("test"),
      name: "attempt",
      prefix: "test",
      attributes: () => ({}),
    },
    metrics: { recorded: () => {}, queue: () => {} },
    wakeup: "nobody",
    wakeups: { on: () => () => {} } as never,
    clock: systemClock,
    log: silentLogger,
    pollMs: 20,
  });
  await outbox.start((error) => {
    throw error;
  });
  return outbox;
}

const delivered = () => Promise.resolve({ kind: "delivered" } as const);

it("fails the one item whose outcome the table refuses, and records the others", async () => {
  const queue = new FakeQueue(4);
  queue.refuse = (ended) => {
    const isPoison = ended.some(({ item, outcome }) =>
      item.id === 2 && outcome.kind === "delivered"
    );
    if (isPoison) throw Object.assign(new Error("duplicate key"), { code: "23505" });
  };
  await start(queue, delivered);
  await eventually(() => expect(queue.recorded.flat()).toHaveLength(4));
  expect(queue.states().sort())
    .toEqual([[0, "delivered"], [1, "delivered"], [2, "failed"], [3, "delivered"]]);
  const failed = queue.recorded.flat().find(({ item }) => item.id === 2)!;
  expect(failed.result.reason).toBe("an internal error, see the log");
});

it("gives an item back, at no cost, when the metadata store is away before anything is sent", async () => {
  const queue = new FakeQueue(1);
  await start(queue, () => Promise.reject(unavailable("The metadata store is not available")));
  await eventually(() => expect(queue.recorded.flat()).toHaveLength(1));
  expect(queue.recorded.flat()[0]).toMatchObject({
    outcome: { kind: "unsent" },
    result: { state: "pending", waitMs: 0, spentMs: 0, counts: false },
  });
});

it("records outcomes again once the metadata store is back, and is not ready meanwhile", async () => {
  const queue = new FakeQueue(1);
  let away = true;
  queue.refuse = () => {
    if (away) throw unavailable("The metadata store is not available");
  };
  const started = await start(queue, delivered);
  queue.claim = () => Promise.reject(unavailable("The metadata store is not available"));
  await eventually(() => expect(started.health().state).toBe("waiting_for_metadata"));
  expect(queue.recorded).toEqual([]);
  away = false;
  await eventually(() => expect(queue.states()).toEqual([[0, "delivered"]]));
});

it("lets attempts end when it stops, then aborts them, and records both", async () => {
  const queue = new FakeQueue(2);
  const started = await start(queue, ({ id }, signal) =>
    new Promise((end) => {
      if (id === 0) setTimeout(() => end({ kind: "delivered" }), 30);
      signal.addEventListener("abort", () =>
        end({ kind: "retry", cause: "stopped while it was being sent", pausesChannel: false }));
    }), 100);
  await started.stop();
  expect(queue.states()).toEqual([[0, "delivered"], [1, "pending"]]);
  expect(started.health()).toEqual({ ready: false, state: "stopped" });
});
