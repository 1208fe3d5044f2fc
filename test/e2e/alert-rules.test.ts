import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { hasPrometheus, howToInstall } from "#test/support/engines/prometheus.ts";
import { alertRules, growthsIn } from "../../tools/checks/alerts.ts";

/** Series by selector, in promtool's notation: a value a minute, `_` for none. */
type Series = Record<string, string>;

/** Number of alerts `alert` that fire at `minutes`, as Prometheus itself evaluates ops/alerts.yml on `series`. */
interface ExpectedAlert {
  alert: string;
  matching?: string;
  minutes: number;
  firing: number;
}

const services = [
  "api",
  "collector",
  "datahub",
  "ingest-consumer",
  "notifier",
  "openlineage",
  "trace-gateway",
];
const up = (service: string, n = 1) =>
  `up{job="tributary",service="${service}",instance="${service}-${n}:8080"}`;
const allUp: Series = Object.fromEntries(services.map((service) => [up(service), "1x100"]));

/** Throws with promtool's report when an expectation does not hold. */
function promtool(series: Series, expected: ExpectedAlert[]): void {
  const folder = mkdtempSync(join(tmpdir(), "tributary-promtool-"));
  const file = join(folder, "test.yml");
  const tests = {
    rule_files: [resolve("ops/alerts.yml")],
    evaluation_interval: "1m",
    tests: [{
      interval: "1m",
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: expected.map(({ alert, matching = "", minutes, firing }) => ({
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"${matching}}) or vector(0)`,
        eval_time: `${minutes}m`,
        exp_samples: [{ labels: "{}", value: firing }],
      })),
    }],
  };
  writeFileSync(file, stringify(tests));
  try {
    execFileSync("promtool", ["test", "rules", file], { stdio: "pipe" });
  } catch (error) {
    throw new Error(String((error as { stderr?: unknown }).stderr ?? error));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every counter that a rule watches for growth. */
const growing = alertRules().flatMap(({ alert, expr }) =>
  growthsIn(expr).map(({ selector }) => ({ alert, selector }))
);

if (hasPrometheus()) {
  describe("ops/alerts.yml, evaluated by Prometheus", () => {
    it.each(growing)("$alert fires at the first increase of $selector", ({ alert, selector }) => {
      promtool({ [selector]: "_x10 100x80" }, [
        { alert, minutes: 9, firing: 0 },
        { alert, minutes: 13, firing: 1 },
        { alert, minutes: 60, firing: 0 },
      ]);
    });

    it.each(growing)(
      "$alert fires when $selector grows, not while it stays",
      ({ alert, selector }) => {
        promtool({ [selector]: "100x40 250x60" }, [
          { alert, minutes: 38, firing: 0 },
          { alert, minutes: 43, firing: 1 },
          { alert, minutes: 90, firing: 0 },
        ]);
      },
    );

    const down = { alert: "TributaryServiceDown" };

    it.each(services)("TributaryServiceDown fires when %s is gone, and names it", (service) => {
      promtool({ ...allUp, [up(service)]: "1x10" }, [
        { ...down, minutes: 9, firing: 0 },
        { ...down, matching: `,service="${service}"`, minutes: 25, firing: 1 },
        { ...down, minutes: 25, firing: 1 },
      ]);
    });

    it("TributaryServiceDown fires when a service does not answer, and ends when it does", () => {
      promtool({ ...allUp, [up("notifier")]: "1x10 0x20 1x20" }, [
        { ...down, matching: ',service="notifier"', minutes: 25, firing: 1 },
        { ...down, minutes: 35, firing: 0 },
      ]);
    });

    it("TributaryServiceDown is quiet while one replica answers, or one process runs all services", () => {
      promtool({ ...allUp, [up("api", 2)]: "0x100" }, [{ ...down, minutes: 30, firing: 0 }]);
      promtool({ [up("all")]: "1x100" }, [{ ...down, minutes: 30, firing: 0 }]);
      promtool({ [up("all")]: "0x100" }, [{ ...down, minutes: 30, firing: services.length }]);
    });
  });
} else {
  it(`rules are not evaluated by a Prometheus: ${howToInstall}`, () => {
    expect(growing.length).toBeGreaterThan(5);
  });
}
