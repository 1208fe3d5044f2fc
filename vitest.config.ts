import process from "node:process";
import { defineConfig } from "vitest/config";
import { findPython } from "./test/support/openlineage/find-python.ts";
import { findBrowser, howToGetOne } from "./test/support/web/find-browser.ts";

/** Tests that need a program which machines may lack; with CI=true they fail where it is missing. */
const needs = [
  {
    files: "test/web/**",
    there: () => findBrowser() !== undefined,
    told: `Left out tests of the web interface: ${howToGetOne}`,
  },
  {
    files: "test/e2e/openlineage-clients.test.ts",
    there: findPython,
    told: "Left out tests with the OpenLineage client of Python: install Python 3.10 with venv",
  },
];
const missing = process.env.CI === "true" ? [] : needs.filter(({ there }) => !there());
for (const { told } of missing) console.log(told);

export default defineConfig({
  test: {
    include: ["**/*.test.ts", "**/*.test.tsx"],
    exclude: ["node_modules/**", "data/**", ...missing.map(({ files }) => files)],
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["test/support/engines/global-setup.ts"],
    testTimeout: 180_000,
    hookTimeout: 240_000,
    // A machine under load is slower than the second that polling waits of itself.
    expect: { poll: { timeout: 15_000 } },
    retry: 0,
  },
});
