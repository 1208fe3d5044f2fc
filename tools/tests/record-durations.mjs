// Writes test/durations.json from the JSON report of a test run, so that the next run begins with the files
// that take longest: `node tools/tests/record-durations.mjs .cache/ci/tests.json`.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";

/** Seconds; shorter files need no place of their own. */
const shortest = 3;

const [report = ".cache/ci/tests.json"] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
const durations = testResults
  .map(({ name, startTime, endTime }) => [
    relative(process.cwd(), name),
    Math.round((endTime - startTime) / 1_000),
  ])
  .filter(([, seconds]) => seconds >= shortest)
  .sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(
  "test/durations.json",
  `${JSON.stringify(Object.fromEntries(durations), null, 2)}\n`,
);
