import { describe, expect, it } from "vitest";
import { type Attempt, resultOf, withinBudget } from "#platform/outbox/queue.ts";
import { busy, refused } from "#test/support/alerts/fake-channel.ts";

const rules = { initialMs: 1_000, maxMs: 60_000, budgetMs: 10_000 };
const noJitter = () => 1;

function attempt(given: Partial<Attempt> = {}): Attempt {
  return { number: 1, spentMs: 0, ageMs: 0, durationMs: 100, outcome: busy, ...given };
}

const outcomeFor = (given: Partial<Attempt>) =>
  resultOf(attempt(given), withinBudget(rules, noJitter));

describe("resultOf", () => {
  it("waits twice as long from attempt to attempt, up to the most", () => {
    const waits = [1, 2, 3, 9].map((number) =>
      resultOf(
        attempt({ number }),
        withinBudget({ ...rules, budgetMs: 1e9 }, noJitter),
      ).waitMs
    );
    expect(waits).toEqual([1_000, 2_000, 4_000, 60_000]);
  });
  it("waits for at least as long as the receiver asked", () => {
    const outcome = { ...busy, kind: "retry" as const, cause: "", pausesChannel: false };
    expect(outcomeFor({ outcome: { ...outcome, afterMs: 7_000 } }).waitMs).toBe(7_000);
    expect(outcomeFor({ outcome: { ...outcome, afterMs: 10 } }).waitMs).toBe(1_000);
  });
  it("fails what would spend more than its budget, with the last cause", () => {
    expect(outcomeFor({ number: 4, spentMs: 1_800 }).state).toBe("pending");
    expect(outcomeFor({ number: 4, spentMs: 2_000 })).toMatchObject({
      state: "failed",
      reason: "failed after 4 attempts: not now",
    });
  });
  it("spends a message's own waits, and not how long its channel is asked to wait", () => {
    const paused = {
      kind: "retry" as const,
      cause: "429",
      pausesChannel: true,
      afterMs: 3_600_000,
    };
    expect(outcomeFor({ outcome: paused })).toMatchObject({ state: "pending", spentMs: 1_100 });
    const own = { ...paused, pausesChannel: false };
    expect(outcomeFor({ outcome: own }).state).toBe("failed");
  });
  it("ends what is delivered or refused, and gives back what was not sent", () => {
    expect(outcomeFor({ outcome: { kind: "delivered" } }).state).toBe("delivered");
    expect(outcomeFor({ outcome: refused })).toMatchObject({
      state: "failed",
      reason: "not taken",
    });
    expect(outcomeFor({ outcome: { kind: "unsent", cause: "late" } }))
      .toMatchObject({ state: "pending", waitMs: 0, spentMs: 0 });
  });
});
