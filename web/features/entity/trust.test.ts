import "#web/messages/testing/english.ts";
import { expect, it } from "vitest";
import { readsText, testsText } from "#web/features/entity/trust.ts";

const report = (totals: Record<string, number>) => testsText(totals);

it("says what failed before what passed, and nothing where there are no tests", () => {
  expect(report({ total: 3, success_total: 3 })).toEqual({
    text: "3 of 3 tests passed",
    tone: "good",
  });
  expect(report({ total: 4, success_total: 2, failed_total: 1, broken_total: 1 }))
    .toEqual({ text: "2 of 4 tests failed", tone: "bad" });
  expect(report({ total: 2, success_total: 1, unknown_total: 1 }))
    .toEqual({ text: "1 of 2 tests passed", tone: "neutral" });
  expect(report({ total: 1, failed_total: 1 })).toEqual({
    text: "1 of 1 test failed",
    tone: "bad",
  });
  expect(report({ total: 0 })).toBeUndefined();
});

it("says in how many days reads were counted", () => {
  const text = (reads: number, since: string) =>
    readsText({ reads, since, until: "2031-05-31T12:00:00Z", roles: [] });
  expect(text(1_204, "2031-05-01T12:00:00Z")).toBe("1,204 reads in 30 days");
  expect(text(1, "2031-05-31T11:00:00Z")).toBe("1 read in a day");
  expect(text(0, "2031-05-29T12:00:00Z")).toBe("No reads in 2 days");
});
