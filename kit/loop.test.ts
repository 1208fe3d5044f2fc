import { describe, expect, it } from "vitest";
import { Loop, type LoopOptions } from "#kit/loop.ts";
import { eventually } from "#test/support/eventually.ts";

const hour = 3_600_000;

function loopOf(given: Partial<LoopOptions>) {
  const crashes: unknown[] = [];
  const loop = new Loop({
    round: () => Promise.resolve(hour),
    failed: () => {},
    retry: { initial: 1, max: 2 },
    ...given,
  });
  return { loop, crashes, start: () => loop.start((error) => void crashes.push(error)) };
}

describe("Loop", () => {
  it("does a round at once, and the next when it is woken", async () => {
    let rounds = 0;
    const { loop, start } = loopOf({ round: () => Promise.resolve((rounds++, hour)) });
    start();
    await eventually(() => expect(rounds).toBe(1));
    loop.wake();
    await eventually(() => expect(rounds).toBe(2));
    await loop.stop();
    expect(rounds).toBe(2);
  });

  it("does another round for a wake-up that came during one", async () => {
    let rounds = 0;
    const { loop, start } = loopOf({
      round() {
        if (++rounds === 1) loop.wake();
        return Promise.resolve(hour);
      },
    });
    start();
    await eventually(() => expect(rounds).toBe(2));
    await loop.stop();
  });

  it("tells of failures in a row, goes on after each, and forgets them with a success", async () => {
    const reported: number[] = [];
    let rounds = 0;
    const { loop, start, crashes } = loopOf({
      round: () => ++rounds % 3 === 0 ? Promise.resolve(0) : Promise.reject(new Error("down")),
      failed: (_, failures) => void reported.push(failures),
    });
    start();
    await eventually(() => expect(reported.slice(0, 4)).toEqual([1, 2, 1, 2]));
    await loop.stop();
    expect(crashes).toEqual([]);
  });

  it("crashes once with what cannot be waited for, and can be started again", async () => {
    let broken = true;
    let rounds = 0;
    const { loop, start, crashes } = loopOf({
      round: () => broken ? Promise.reject(new Error("bug")) : Promise.resolve((rounds++, hour)),
      failed: (error) => {
        throw error;
      },
    });
    start();
    await eventually(() => expect(crashes).toEqual([new Error("bug")]));
    broken = false;
    await loop.stop();
    start();
    await eventually(() => expect(rounds).toBe(1));
    await loop.stop();
  });

  it("stop waits for the running round, and a failure that stopping itself causes is not reported", async () => {
    const reported: unknown[] = [];
    const ended = Promise.withResolvers<void>();
    const { loop, start } = loopOf({
      round: async (signal) => {
        await new Promise((stopped) => signal.addEventListener("abort", stopped));
        ended.resolve();
        throw new Error("broken off");
      },
      failed: (error) => void reported.push(error),
    });
    start();
    await loop.stop();
    await ended.promise;
    expect(reported).toEqual([]);
    expect(loop.started).toBe(false);
  });

  it("waits for a round that hangs no longer than it is told", async () => {
    const { loop, start } = loopOf({ round: () => new Promise(() => {}), stopMs: 20 });
    start();
    await loop.stop();
    expect(loop.signal.aborted).toBe(true);
  });

  it("listens while it runs, and not after", async () => {
    const listeners = new Set<() => void>();
    let rounds = 0;
    const { loop, start } = loopOf({
      round: () => Promise.resolve((rounds++, hour)),
      listen(wake) {
        listeners.add(wake);
        return () => listeners.delete(wake);
      },
    });
    start();
    start();
    await eventually(() => expect(rounds).toBe(1));
    expect(listeners.size).toBe(1);
    for (const wake of listeners) wake();
    await eventually(() => expect(rounds).toBe(2));
    await loop.stop();
    await loop.stop();
    expect(listeners.size).toBe(0);
  });
});
