import { expect, it } from "vitest";
import { freshnessOf } from "#services/api/features/asset-health/routes.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 2, 1, 12);
/** Updates so many hours ago, newest first. */
const ago = (...hours: number[]) => hours.map((each) => now - each * hour);

it("an entity is fresh until twice its usual gap is over, then late", () => {
  const updates = ago(2, 3, 4, 5, 6);
  expect(freshnessOf(updates, now)).toEqual({
    state: "FRESH",
    last_updated_at: "2026-03-01T10:00:00.000Z",
    usual_gap_seconds: 3_600,
  });
  expect(freshnessOf(updates, now + 1)?.state).toBe("LATE");
});

it("one long gap does not change what is usual", () => {
  expect(freshnessOf(ago(1, 2, 3, 400, 401, 402), now)?.usual_gap_seconds).toBe(3_600);
  expect(freshnessOf(ago(1, 2, 4, 6, 8), now)?.usual_gap_seconds).toBe(7_200);
});

it("too few updates, and updates of one moment, say nothing", () => {
  expect(freshnessOf(ago(1, 2, 3, 4), now)).toBeNull();
  expect(freshnessOf(ago(1, 1, 1, 1, 1), now)).toBeNull();
});
