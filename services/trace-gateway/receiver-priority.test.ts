import { describe, expect, it } from "vitest";
import type { Clock } from "#kit/clock.ts";
import { ReceiverPriority } from "./pairing/workers.ts";

/** A clock that moves when somebody sleeps. */
function movingClock(): Clock & { slept: number } {
  return {
    slept: 0,
    now() {
      return this.slept;
    },
    sleep(ms) {
      this.slept += ms;
      return Promise.resolve();
    },
  };
}

const never = new AbortController().signal;

describe("Precedence", () => {
  it("lets counting go on at once while no request is at work", async () => {
    const clock = movingClock();
    await new ReceiverPriority(() => false, clock).receiversIdle(never);
    expect(clock.slept).toBe(0);
  });

  it("delays counting until the receivers are idle", async () => {
    const clock = movingClock();
    await new ReceiverPriority(() => clock.slept < 300, clock).receiversIdle(never);
    expect(clock.slept).toBe(300);
  });

  it("delays counting for two seconds at most, and not once it is stopped", async () => {
    const clock = movingClock();
    const priority = new ReceiverPriority(() => true, clock);
    await priority.receiversIdle(never);
    expect(clock.slept).toBe(2_000);
    await priority.receiversIdle(AbortSignal.abort());
    expect(clock.slept).toBe(2_000);
  });
});
