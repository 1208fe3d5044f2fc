import { describe, expect, it } from "vitest";
import { Keeper, type Server } from "#platform/http/keeper.ts";

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
  const keeper = new Keeper(open(), open, () => address.isFree(), { clock });
  const look = async () => {
    wake?.();
    await new Promise((settled) => setTimeout(settled));
  };
  return { keeper, address, opened, look };
}

describe("Keeper", () => {
  it("opens an address anew that nobody has, and calls it well after a while", async () => {
    const { keeper, address, opened, look } = harness();
    await look();
    expect([keeper.health().state, opened.length]).toEqual(["listening", 1]);
    address.isFree = () => true;
    await look();
    address.isFree = () => false;
    expect([keeper.health().state, opened.length]).toEqual(["accept_failed", 2]);
    for (let n = 0; n < 30; n++) await look();
    expect(keeper.health()).toEqual({ ready: true, state: "listening" });
    await keeper.shutdown();
  });
  it("says why it cannot, and goes on trying", async () => {
    const { keeper, address, opened, look } = harness();
    address.isFree = () => {
      throw new Error("Too many open files");
    };
    await look();
    expect(keeper.health()).toMatchObject({
      ready: false,
      state: "not_listening",
      detail: expect.stringContaining("Too many open files"),
    });
    address.isFree = () => true;
    await look();
    expect(opened).toHaveLength(2);
    await keeper.shutdown();
  });
  it("knows that another process has taken its place", async () => {
    const { keeper, opened, look } = harness();
    opened[0]!.reject(new Error("ended"));
    await look();
    expect(keeper.health().state).toBe("port_taken");
    await keeper.shutdown();
  });
});
