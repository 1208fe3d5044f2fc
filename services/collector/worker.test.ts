import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { type CollectorHarness, collectorHarness, found, tableItem } from "./testing/harness.ts";

let at: CollectorHarness;
beforeEach(async () => void (at = await collectorHarness({ concurrency: 2 })));
afterEach(() => at.drop());

const finds = (...names: string[]) => {
  at.source.read = async function* () {
    for (const name of names) yield found(tableItem(name));
  };
};

/** A source that never ends by itself. */
const hangs = () => {
  at.source.read = async function* (signal) {
    yield found(tableItem("first"));
    await new Promise((_, fail) =>
      signal.addEventListener("abort", () => fail(new Error("closed")))
    );
  };
};

describe("the worker", () => {
  it("queues what is due", async () => {
    finds("a");
    await at.start();
    await at.db.query("UPDATE connection SET schedule_minutes = 60, next_run_at = now()");
    await eventually(() => expect(at.batches).toHaveLength(1));
    const [row] = await at.db.query<{ later: boolean }>(
      "SELECT next_run_at > now() + interval '50 min' AS later FROM connection",
    );
    expect(row!.later).toBe(true);
  });

  it("ends a run within two seconds of its cancellation", async () => {
    hangs();
    await at.start();
    const id = await at.request();
    await eventually(async () => expect((await at.run(id)).counts.read).toBe(1));
    await at.db.query("UPDATE connection_run SET cancel = true");
    await eventually(async () => expect((await at.run(id)).state).toBe("CANCELLED"));
  });

  it("ends a run that takes too long, and says so", async () => {
    await at.drop();
    at = await collectorHarness({ "max-run-time": "1 s" });
    hangs();
    await at.start();
    expect(await at.ran()).toMatchObject({
      state: "FAILED",
      error: { reason: expect.stringContaining("connections.max-run-time") },
    });
  });

  it("runs a connection in one process at a time", async () => {
    hangs();
    await Promise.all([at.start("one"), at.start("two")]);
    const id = await at.request();
    await eventually(async () => expect((await at.run(id)).counts.read).toBe(1));
    const [row] = await at.db.query<{ attempts: number }>("SELECT attempts FROM connection_run");
    expect(row!.attempts).toBe(1);
  });

  it("hands a run over when it stops", async () => {
    hangs();
    const first = await at.start("one");
    const id = await at.request();
    await eventually(async () => expect((await at.run(id)).counts.read).toBe(1));
    await first.stop();
    expect((await at.run(id)).state).toBe("QUEUED");
    finds("a");
    await at.start("two");
    await eventually(async () => expect((await at.run(id)).state).toBe("SUCCEEDED"));
  });

  it("takes over what a process that ended has left, and gives up after three", async () => {
    finds("a");
    const left = (attempts: number) =>
      at.db.query<{ id: number }>(
        `INSERT INTO connection_run (connection_id, kind, state, started_at, attempts)
         VALUES ($1, 'RUN', 'RUNNING', now(), $2) RETURNING id`,
        [at.connection, attempts],
      );
    const [again] = await left(1);
    await at.start();
    await eventually(async () => expect((await at.run(again!.id)).state).toBe("SUCCEEDED"));
    const [exhausted] = await left(3);
    await eventually(async () => expect((await at.run(exhausted!.id)).state).toBe("FAILED"));
  });

  it("does nothing when connections are off", async () => {
    await at.drop();
    at = await collectorHarness({ enabled: false });
    const worker = await at.start();
    expect(worker.health()).toEqual({ ready: true, state: "disabled" });
  });
});
