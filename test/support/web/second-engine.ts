import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const ace = readFileSync(
  createRequire(import.meta.url).resolve("accessibility-checker-engine/ace.js"),
  "utf8",
);

/** What is used here of the engine's report; its rules are those of the IBM Equal Access toolkit. */
interface Finding {
  ruleId: string;
  value: [kind: string, outcome: string];
  message: string;
  path: { dom: string };
}
interface PageGlobals {
  document: unknown;
  ace: {
    Checker: new () => {
      check(root: unknown, rulesets: string[]): Promise<{ results: Finding[] }>;
    };
  };
}

/**
 * What the second engine for accessibility (accessibility-checker) is sure to be a violation of WCAG 2.2 A or AA on the
 * current page. It knows rules that axe lacks, and the other way round.
 */
export async function secondEngineFaults(page: Page): Promise<string[]> {
  await page.evaluate(ace);
  const found = await page.evaluate(runChecker);
  return found.map(({ ruleId, message, path }) => `${ruleId}: ${message} (${path.dom})`);
}

/** Runs in the page. */
async function runChecker(): Promise<Finding[]> {
  const { ace, document } = globalThis as unknown as PageGlobals;
  const { results } = await new ace.Checker().check(document, ["WCAG_2_2"]);
  return results
    .filter(({ value: [kind, outcome] }) => kind === "VIOLATION" && outcome === "FAIL")
    .map(({ ruleId, value, message, path }) => ({ ruleId, value, message, path }));
}
