import process from "node:process";
import { afterEach, describe, expect, it } from "vitest";
import { AppError, PermanentError } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import { noMetrics } from "#kit/metrics.ts";
import { ThreadAbortedError } from "#kit/thread-aborted.ts";
import { ThreadPool, type ThreadPoolOptions } from "#kit/threads.ts";
import type { Play } from "#test/support/threads/script.ts";

const pools: ThreadPool<Play, number>[] = [];
afterEach(() => pools.splice(0).forEach((pool) => pool.stop()));

/** A pool of one thread, with the metrics it counts. */
function openPool(more: Partial<ThreadPoolOptions> = {}) {
  const counted: Record<string, string>[] = [];
  const metrics: Metrics = {
    ...noMetrics,
    counter: () => ({ inc: (labels = {}) => void counted.push(labels) }),
  };
  const pool = new ThreadPool<Play, number>({
    name: "test",
    script: new URL("../test/support/threads/script.ts", import.meta.url),
    metrics,
    threads: 1,
    maxQueued: 4,
    deadlineMs: 20_000,
    heapMb: 64,
    ...more,
  });
  pools.push(pool);
  const works = () => pool.run({ do: "double" }, { bytes: new Uint8Array(30).subarray(9) });
  return { pool, counted, works };
}

const errorOf = (work: Promise<unknown>) => work.then(() => undefined, (error) => error);

describe("ThreadPool", () => {
  it("gives what the script gives, and throws what it throws", async () => {
    const { pool, works } = openPool();
    expect(await works()).toBe(42);
    const refused = await errorOf(pool.run({ do: "refuse" })) as AppError;
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({
      message: "no",
      status: 400,
      details: [{ field: "f", message: "m" }],
    });
    const forGood = await errorOf(pool.run({ do: "refuse for good" })) as PermanentError;
    expect(forGood).toBeInstanceOf(PermanentError);
    expect(forGood).toMatchObject({ reason: "bad", details: [{ field: "f" }] });
    expect(await works()).toBe(42);
  });

  it("waits for a thread whose script takes time to load", async () => {
    const script = new URL("../test/support/threads/late-script.ts", import.meta.url);
    const { works } = openPool({ script, deadlineMs: 1_000 });
    expect(await works()).toBe(21);
    expect(await works()).toBe(21);
  });

  it("ends a thread past its deadline, truly, and does the next job in another", async () => {
    const { pool, counted, works } = openPool({ deadlineMs: 1_000 });
    const [late, next] = [errorOf(pool.run({ do: "never end" })), works()];
    expect(await late).toMatchObject({ status: 503, retryAfter: 30, reason: "deadline" });
    expect(await late).toBeInstanceOf(ThreadAbortedError);
    expect(await next).toBe(42);
    expect(counted).toEqual([{ pool: "test", reason: "deadline" }]);
    const { user } = process.cpuUsage();
    // Leaves a second in which a thread that still runs would use CPU time.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(500);
  });

  it("survives a thread that runs out of memory", async () => {
    const { pool, counted, works } = openPool();
    expect(await errorOf(pool.run({ do: "grow" }))).toMatchObject({ status: 503 });
    expect(await works()).toBe(42);
    // A busy machine notices the memory limit late, so the deadline may come first.
    expect(counted).toEqual([{ pool: "test", reason: expect.stringMatching("memory|deadline") }]);
  });

  it("replaces a thread that breaks between two jobs", async () => {
    const { pool, counted, works } = openPool();
    await pool.run({ do: "exit" });
    await expect.poll(() => counted).toEqual([{ pool: "test", reason: "crash" }]);
    expect(await works()).toBe(42);
  });

  it("ends a thread without a job, gives nobody up for it, and starts another when needed", async () => {
    const { pool, counted, works } = openPool({ idleMs: 1 });
    const threadOf = () => pool.run({ do: "number" });
    const first = await threadOf();
    await expect.poll(threadOf).not.toBe(first);
    expect(await works()).toBe(42);
    expect(counted).toEqual([]);
  });

  it("keeps a thread whose next job comes in time", async () => {
    const { pool } = openPool({ idleMs: 60_000 });
    expect(await pool.run({ do: "number" })).toBe(await pool.run({ do: "number" }));
  });

  it("keeps a thread with a large heap for a job that comes soon, and ends it otherwise", async () => {
    const { pool, counted } = openPool({ heapMb: 512, largeIdleMs: 300 });
    const threadOf = () => pool.run({ do: "number" });
    const first = threadOf();
    const pending = pool.run({ do: "hold" });
    expect(await threadOf()).toBe(await first);
    expect(await pending).toBe(128);
    await expect.poll(threadOf, { interval: 600 }).not.toBe(await first);
    expect(await threadOf()).toBe(await threadOf());
    expect(counted).toEqual([]);
  });

  it("rests after a job as long as it is told", async () => {
    const times = [300, 0];
    const { works } = openPool({ cooldownMs: () => times.shift()! });
    await works();
    const begun = performance.now();
    await works();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(290);
    expect(times).toEqual([]);
  });

  it("does one heavy job at a time, others next to it", async () => {
    const { pool, works } = openPool({ threads: 2, deadlineMs: 2_000 });
    const ended: string[] = [];
    const heavy = (play: Play, name: string) =>
      errorOf(pool.run(play, { heavy: true })).then(() => ended.push(name));
    const all = [heavy({ do: "never end" }, "first"), heavy({ do: "refuse" }, "second")];
    expect(await works()).toBe(42);
    expect(ended).toEqual([]);
    await Promise.all(all);
    expect(ended).toEqual(["first", "second"]);
  });

  it("refuses what is more than may wait, and everything once it stops", async () => {
    const { pool, works } = openPool({ maxQueued: 2 });
    const jobs = [errorOf(pool.run({ do: "never end" })), errorOf(works()), errorOf(works())];
    expect(await errorOf(works())).toMatchObject({ status: 503, retryAfter: 2 });
    pool.stop();
    expect((await Promise.all(jobs)).map((error) => (error as AppError).status))
      .toEqual([503, 503, 503]);
    expect(await errorOf(works())).toMatchObject({ status: 503 });
  });
});
