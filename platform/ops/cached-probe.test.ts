import { describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { CachedProbe } from "#platform/ops/cached-probe.ts";
import { rememberSecrets } from "#platform/secrets.ts";

/** A look at what `read` answers, by a clock that is moved by hand. */
function probeAt<T>(ask: (call: number) => Promise<T>, timeoutMs = 20) {
  let [now, calls] = [0, 0];
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  return {
    probe: new CachedProbe({ read: () => ask(++calls), timeoutMs, clock }),
    calls: () => calls,
    pass: (ms: number) => void (now += ms),
  };
}

const never = () => new Promise<never>(() => {});

describe("Glance", () => {
  it("asks once for all who look at the same time, and again after a second", async () => {
    const { probe, calls, pass } = probeAt((call) => Promise.resolve(call));
    const seen = await Promise.all([probe.probe(), probe.probe(), probe.probe()]);
    expect(seen.map((one) => one.known && one.value)).toEqual([1, 1, 1]);
    pass(999);
    expect(await probe.probe()).toMatchObject({ value: 1 });
    pass(1);
    expect(await probe.probe()).toMatchObject({ value: 2 });
    expect(calls()).toBe(2);
  });

  it("knows nothing of what does not answer, and does not ask it twice at once", async () => {
    const { probe, calls, pass } = probeAt(never);
    const expected = { known: false, failed: false, cause: "no answer within 0.02 s" };
    expect(await probe.probe()).toEqual(expected);
    pass(1_000);
    expect(await probe.probe()).toEqual(expected);
    expect(calls()).toBe(1);
  });

  it("sees that it answers again, by the question that hung or by a new one", async () => {
    const late = Promise.withResolvers<string>();
    const answers = [late.promise, never(), Promise.resolve("new")];
    const { probe, pass } = probeAt((call) => answers[call - 1]!);
    await probe.probe();
    late.resolve("late");
    pass(1_000);
    expect(await probe.probe()).toMatchObject({ known: true, value: "late" });
    pass(1_000);
    expect(await probe.probe()).toMatchObject({ known: false });
    pass(30_000);
    expect(await probe.probe()).toMatchObject({ known: true, value: "new" });
  });

  it("tells a refusal from silence, with all causes and without secrets", async () => {
    rememberSecrets(["opensesame"]);
    const cause = new Error("ECONNREFUSED\nbolt://ada:opensesame@graph");
    const { probe, pass } = probeAt((call) =>
      Promise.reject(unavailable("away", 5, call === 1 ? cause : new Error("Command timed out")))
    );
    expect(await probe.probe()).toEqual({
      known: false,
      failed: true,
      cause: "away: ECONNREFUSED: bolt://ada:***@graph",
    });
    pass(1_000);
    expect(await probe.probe()).toMatchObject({ failed: false });
  });

  it("takes what is thrown at once for a failure, and keeps that a second, too", async () => {
    const { probe, calls } = probeAt((): Promise<never> => {
      throw new Error("broken");
    });
    expect(await probe.probe()).toMatchObject({ known: false, cause: "broken" });
    await probe.probe();
    expect(calls()).toBe(1);
  });

  it("asks again when what it holds, or the question under way, is older than it may be", async () => {
    const first = Promise.withResolvers<string>();
    const { probe } = probeAt((call) => call === 1 ? first.promise : Promise.resolve("new"));
    const old = probe.probe();
    probe.forget();
    const second = probe.probe();
    first.resolve("old");
    expect(await Promise.all([old, second])).toMatchObject([{ value: "old" }, { value: "new" }]);
    expect(await probe.probe()).toMatchObject({ value: "new" });
  });
});
