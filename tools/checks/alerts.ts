import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { composeServices } from "../compose.ts";
import { type Check, root } from "./check.ts";

/** A rule of Prometheus, as far as the check reads it. */
export interface AlertRule {
  alert: string;
  expr: string;
}

const file = "ops/alerts.yml";

export const alerts: Check = {
  name: "alerts",
  cannotDetect: "whether a threshold is useful, and whether its repair repairs",
  run() {
    const rules = alertRules();
    const services = Object.entries(composeServices()).flatMap(([name, { own }]) =>
      own ? name : []
    );
    const problems = [...missedFirstIncreases(rules), ...unwatchedServices(rules, services)];
    const found = problems.map((problem) => `${file}: ${problem}`);
    return Promise.resolve({ summary: `${rules.length} rules`, problems: found });
  },
};

/** All rules of ops/alerts.yml. */
export function alertRules(): AlertRule[] {
  const { groups } = parse(readFileSync(join(root, file), "utf8"));
  return groups.flatMap(({ rules }: { rules: AlertRule[] }) => rules);
}

/** What `increase`, `rate` and the like are applied to: a selector of series and a window. */
export function growthsIn(expr: string): { call: string; selector: string; window: string }[] {
  const calls =
    /\b(increase|rate|irate|delta|idelta|changes)\(\s*([\w:]*(?:\{[^{}]*\})?)\[(\w+)\]/g;
  return [...expr.matchAll(calls)].map(([, call, selector, window]) => ({
    call: call!,
    selector: selector!,
    window: window!,
  }));
}

/**
 * Rules that do not see the first step of a series. A counter with labels begins with its first event, at 1: `increase` finds
 * no earlier value and says 0. What was not there a window ago counts from 0 instead.
 */
export function missedFirstIncreases(rules: AlertRule[]): string[] {
  const spaceless = (text: string) => text.replace(/\s+/g, "");
  return rules.flatMap(({ alert, expr }) =>
    growthsIn(expr).flatMap(({ call, selector, window }) => {
      const guard = `(${selector} unless ${selector} offset ${window})`;
      if (spaceless(expr).includes(`${spaceless(guard)}or${call}(`)) return [];
      return [
        `${alert}: ${call} misses the first increase of a new series; write ${guard} or ${call}(…)`,
      ];
    })
  );
}

/** Services of docker-compose.yml that can be gone without an alert. */
export function unwatchedServices(rules: AlertRule[], services: string[]): string[] {
  const down = rules.find(({ alert }) => alert === "TributaryServiceDown");
  return services.filter((service) => !down?.expr.includes(`"service", "${service}"`))
    .map((service) => `TributaryServiceDown: ${service} is missing`);
}
