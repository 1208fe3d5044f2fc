import type { ChannelState } from "./queue.queries.ts";
import { describe, expect, it } from "vitest";
import { type ChannelAttempt, stateAfter } from "#services/notifier/delivery/queue.ts";
import { busy, refused, sick } from "#test/support/alerts/fake-channel.ts";

const rules = { initialMs: 1_000, maxMs: 60_000 };
const noJitter = () => 1;

function attempt(given: Partial<ChannelAttempt> = {}): ChannelAttempt {
  return { claimedAt: new Date(5_000), outcome: busy, ...given };
}

describe("stateAfter", () => {
  const well: ChannelState = {
    failures: 0,
    changedAt: new Date(1_000),
    pausedUntil: null,
    cause: null,
  };
  const now = new Date(10_000);
  const after = (state: ChannelState, ...attempts: ChannelAttempt[]) =>
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
