import { describe, expect, it } from "vitest";
import {
  type Attempt,
  type ChannelState,
  outcomeOf,
  stateAfter,
} from "#services/notifier/delivery/outcome.ts";
import { busy, refused, sick } from "#test/support/alerts/fake-channel.ts";

const rules = { initialMs: 1_000, maxMs: 60_000, budgetMs: 10_000 };
const noJitter = () => 1;

function attempt(given: Partial<Attempt> = {}): Attempt {
  return {
    deliveryId: "d",
    number: 1,
    claim: "c",
    claimedAt: new Date(5_000),
    spentMs: 0,
    durationMs: 100,
    outcome: busy,
    ...given,
  };
}

const outcomeFor = (given: Partial<Attempt>) => outcomeOf(attempt(given), rules, noJitter);

describe("verdictOf", () => {
  it("waits twice as long from attempt to attempt, up to the most", () => {
    const waits = [1, 2, 3, 9].map((number) =>
      outcomeOf(attempt({ number }), { ...rules, budgetMs: 1e9 }, noJitter).waitMs
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

describe("stateAfter", () => {
  const well: ChannelState = {
    failures: 0,
    changedAt: new Date(1_000),
    pausedUntil: null,
    cause: null,
  };
  const now = new Date(10_000);
  const after = (state: ChannelState, ...attempts: Attempt[]) =>
    stateAfter(state, attempts, rules, now, noJitter);

  it("pauses for longer with each failure", () => {
    const once = after(well, attempt({ outcome: sick }));
    expect(once).toMatchObject({ failures: 1, cause: sick.kind === "retry" ? sick.cause : "" });
    expect(once.pausedUntil).toEqual(new Date(11_000));
    const twice = after(once, attempt({ outcome: sick, claimedAt: new Date(11_500) }));
    expect(twice).toMatchObject({ failures: 2, pausedUntil: new Date(12_000) });
  });
  it("takes many that failed together as one failure", () => {
    const batch = Array.from({ length: 20 }, () => attempt({ outcome: sick }));
    expect(after(well, ...batch)).toMatchObject({ failures: 1, pausedUntil: new Date(11_000) });
  });
  it("pauses for as long as the receiver asked, also when told late", () => {
    const outcome = { kind: "retry" as const, cause: "429", pausesChannel: true, afterMs: 90_000 };
    const once = after(well, attempt({ outcome: outcome }));
    expect(once.pausedUntil).toEqual(new Date(100_000));
    const late = after(once, attempt({ outcome: { ...outcome, afterMs: 95_000 } }));
    expect(late).toMatchObject({ failures: 1, pausedUntil: new Date(105_000) });
  });
  it("is well again after an answer to something sent since, and not to something sent before", () => {
    const ill = after(well, attempt({ outcome: sick }));
    const delivered = { kind: "delivered" as const };
    expect(after(ill, attempt({ outcome: delivered }))).toBe(ill);
    const since = new Date(10_500);
    expect(after(ill, attempt({ outcome: delivered, claimedAt: since })))
      .toMatchObject({ failures: 0, pausedUntil: null });
    expect(after(ill, attempt({ outcome: refused, claimedAt: since })).failures).toBe(0);
    expect(after(ill, attempt({ outcome: busy, claimedAt: since }))).toBe(ill);
  });
});
