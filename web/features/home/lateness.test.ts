import { expect, it } from "vitest";
import { byLateness } from "#web/features/home/lateness.ts";

const hour = 3_600_000;
const now = Date.UTC(2026, 2, 1, 12);

function health(id: number, state: "FRESH" | "LATE", hoursAgo: number, usualHours: number) {
  const last_updated_at = new Date(now - hoursAgo * hour).toISOString();
  return { id, freshness: { state, last_updated_at, usual_gap_seconds: usualHours * 3_600 } };
}

it("what is late comes first, the one that missed the most updates at the top", () => {
  const healths = [
    health(1, "FRESH", 1, 1),
    health(2, "LATE", 50, 24),
    health(3, "LATE", 9, 1),
    { id: 4, freshness: null },
  ];
  const order = byLateness([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }], healths, now);
  expect(order.map(({ asset }) => asset.id)).toEqual([3, 2, 1]);
});
