import { describe, expect, it } from "vitest";
import { unavailable } from "#kit/errors.ts";
import { Glance } from "#platform/ops/glance.ts";
import { rememberSecrets } from "#platform/secrets.ts";

/** A look at what `ask` answers, by a clock that is moved by hand. */
function glanceAt<T>(ask: (call: number) => Promise<T>, timeoutMs = 20) {
  let [now, calls] = [0, 0];
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  return {
    glance: new Glance({ ask: () => ask(++calls), timeoutMs, clock }),
    calls: () => calls,
    pass: (ms: number) => void (now += ms),
  };
}

const never = () => new Promise<never>(() => {});

describe("Glance", () => {
  it("asks once for all who look at the same time, and again after a second", async () => {
    const { glance, calls, pass } = glanceAt((call) => Promise.resolve(call));
    const seen = await Promise.all([glance.look(), glance.look(), glance.look()]);
    expect(seen.map((one) => one.known && one.value)).toEqual([1, 1, 1]);
    pass(999);
    expect(await glance.look()).toMatchObject({ value: 1 });
    pass(1);
    expect(await glance.look()).toMatchObject({ value: 2 });
    expect(calls()).toBe(2);
  });

  it("knows nothing of what does not answer, and does not ask it twice at once", async () => {
    const { glance, calls, pass } = glanceAt(never);
    const expected = { known: false, failed: false, cause: "no answer within 0.02 s" };
    expect(await glance.look()).toEqual(expected);
    pass(1_000);
    expect(await glance.look()).toEqual(expected);
    expect(calls()).toBe(1);
  });

  it("sees that it answers again, by the question that hung or by a new one", async () => {
    const late = Promise.withResolvers<string>();
    const answers = [late.promise, never(), Promise.resolve("new")];
    const { glance, pass } = glanceAt((call) => answers[call - 1]!);
    await glance.look();
    late.resolve("late");
    pass(1_000);
    expect(await glance.look()).toMatchObject({ known: true, value: "late" });
    pass(1_000);
    expect(await glance.look()).toMatchObject({ known: false });
    pass(30_000);
    expect(await glance.look()).toMatchObject({ known: true, value: "new" });
  });

  it("tells a refusal from silence, with all causes and without secrets", async () => {
    rememberSecrets(["opensesame"]);
    const cause = new Error("ECONNREFUSED\nbolt://ada:opensesame@graph");
    const { glance, pass } = glanceAt((call) =>
      Promise.reject(unavailable("away", 5, call === 1 ? cause : new Error("Command timed out")))
    );
    expect(await glance.look()).toEqual({
      known: false,
      failed: true,
      cause: "away: ECONNREFUSED: bolt://ada:***@graph",
    });
    pass(1_000);
    expect(await glance.look()).toMatchObject({ failed: false });
  });

  it("takes what is thrown at once for a failure, and keeps that a second, too", async () => {
    const { glance, calls } = glanceAt((): Promise<never> => {
      throw new Error("broken");
    });
    expect(await glance.look()).toMatchObject({ known: false, cause: "broken" });
    await glance.look();
    expect(calls()).toBe(1);
  });

  it("asks anew when what it holds, or the question under way, is older than it may be", async () => {
    const first = Promise.withResolvers<string>();
    const { glance } = glanceAt((call) => call === 1 ? first.promise : Promise.resolve("new"));
    const old = glance.look();
    glance.forget();
    const anew = glance.look();
    first.resolve("old");
    expect(await Promise.all([old, anew])).toMatchObject([{ value: "old" }, { value: "new" }]);
    expect(await glance.look()).toMatchObject({ value: "new" });
  });
});
