import { describe, expect, it } from "vitest";
import { alertRules, alerts, missedFirstIncreases, unwatchedServices } from "./alerts.ts";

const rule = (expr: string) => [{ alert: "A", expr }];

describe("the check of alerts", () => {
  it("finds nothing in ops/alerts.yml", async () => {
    expect((await alerts.run({ update: false })).problems).toEqual([]);
  });

  it.each([
    "sum(increase(errors_total[15m])) > 0",
    'sum by (type) (increase(errors_total{outcome="lost"}[15m])) > 50',
    "rate(errors_total[5m]) > 0",
    "(errors_total unless errors_total offset 5m) or increase(errors_total[15m]) > 0",
    '(errors_total{a="b"} unless errors_total{a="b"} offset 5m) or increase(errors_total{a="c"}[5m]) > 0',
    "(a_total unless a_total offset 5m) or increase(a_total[5m]) or increase(b_total[5m]) > 0",
  ])("refuses a rule that misses the first increase: %s", (expr) => {
    expect(missedFirstIncreases(rule(expr))).toEqual([
      expect.stringMatching(
        /^A: (increase|rate) misses the first increase of a new series; write \(/,
      ),
    ]);
  });

  it.each([
    'sum((x_total{a="b"} unless x_total{a="b"} offset 5m) or increase(x_total{a="b"}[5m])) > 0',
    "(x_total\n  unless x_total offset 15m)\nor increase(x_total[15m]) > 0",
    "max(workers_ready) == 0",
  ])("accepts a rule that sees it, or compares no counter: %s", (expr) => {
    expect(missedFirstIncreases(rule(expr))).toEqual([]);
  });

  it("names a service that no alert watches", () => {
    expect(unwatchedServices(alertRules(), ["api", "scheduler"]))
      .toEqual(["TributaryServiceDown: scheduler is missing"]);
    expect(unwatchedServices([], ["api"])).toEqual(["TributaryServiceDown: api is missing"]);
  });
});
