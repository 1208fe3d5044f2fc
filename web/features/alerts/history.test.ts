import { expect, it } from "vitest";
import { createdByDay, historyDays } from "#web/features/alerts/groups.ts";

it("counts alerts by the day on which they were created", () => {
  const now = new Date(2026, 2, 20, 15).getTime();
  const at = (day: number, hour: number) => ({
    created_at: new Date(2026, 2, day, hour).toISOString(),
  });
  const { times, values } = createdByDay([at(20, 0), at(20, 14), at(18, 23), at(-20, 1)], now);
  expect(times).toHaveLength(historyDays);
  expect(new Date(times.at(-1)!).getDate()).toBe(20);
  expect(values.slice(-3)).toEqual([1, 0, 2]);
  expect(values.reduce((sum, one) => sum + one)).toBe(3);
});
