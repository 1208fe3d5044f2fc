import process from "node:process";
import { defineConfig } from "vitest/config";
import { findJava, findPython } from "./test/support/openlineage/find-programs.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { findBrowser, howToGetOne } from "./test/support/web/find-browser.ts";

/** Tests that need a program which machines may lack; with CI=true they fail where it is missing. */
const needs = [
  {
    files: "test/web/**",
    there: () => findBrowser() !== undefined,
    told: `Left out tests of the web interface: ${howToGetOne}`,
  },
  {
    files: "test/e2e/openlineage-{clients,dbt}.test.ts",
    there: findPython,
    told: "Left out tests with OpenLineage of Python and dbt: install Python 3.10 with venv",
  },
  {
    files: "test/e2e/openlineage-{java,spark}.test.ts",
    there: findJava,
    told:
      "Left out tests with the OpenLineage client of Java and Spark: install Maven and a JDK, 17 or newer",
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
    sequence: { sequencer: LongestFirst },
    globalSetup: ["test/support/engines/global-setup.ts"],
    // These end what hangs. They are no measure of speed: a shared machine may be many times slower.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } },
    retry: 0,
  },
});
