import { describe, expect, it } from "vitest";
import { ListenerWatchdog, type Server } from "#platform/http/listener-watchdog.ts";

/** An address whose state the test sets, and a clock that the test advances. */
function harness() {
  const opened: PromiseWithResolvers<void>[] = [];
  const open = (): Server => {
    const finished = Promise.withResolvers<void>();
    opened.push(finished);
    return { finished: finished.promise, shutdown: () => Promise.resolve() };
  };
  const address = { isFree: (): boolean => false };
  let now = 0;
  let wake: (() => void) | undefined;
  const clock = {
    now: () => now,
    sleep: (ms: number) => new Promise<void>((go) => wake = () => (now += ms, go())),
  };
  const watchdog = new ListenerWatchdog(open(), open, () => address.isFree(), { clock });
  const probe = async () => {
    wake?.();
    await new Promise((settled) => setTimeout(settled));
  };
  return { watchdog, address, opened, probe };
}

describe("Keeper", () => {
  it("opens an address again that nobody has, and calls it well after a while", async () => {
    const { watchdog, address, opened, probe } = harness();
    await probe();
    expect([watchdog.health().state, opened.length]).toEqual(["listening", 1]);
    address.isFree = () => true;
    await probe();
    address.isFree = () => false;
    expect([watchdog.health().state, opened.length]).toEqual(["accept_failed", 2]);
    for (let n = 0; n < 30; n++) await probe();
    expect(watchdog.health()).toEqual({ ready: true, state: "listening" });
    await watchdog.shutdown();
  });
  it("says why it cannot, and goes on trying", async () => {
    const { watchdog, address, opened, probe } = harness();
    address.isFree = () => {
      throw new Error("Too many open files");
    };
    await probe();
    expect(watchdog.health()).toMatchObject({
      ready: false,
      state: "not_listening",
      detail: expect.stringContaining("Too many open files"),
    });
    address.isFree = () => true;
    await probe();
    expect(opened).toHaveLength(2);
    await watchdog.shutdown();
  });
  it("knows that another process has taken its place", async () => {
    const { watchdog, opened, probe } = harness();
    opened[0]!.reject(new Error("ended"));
    await probe();
    expect(watchdog.health().state).toBe("port_taken");
    await watchdog.shutdown();
  });
});
