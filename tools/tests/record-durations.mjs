// Writes into test/durations.json how long test files took, so that the next run on the same engines begins with those
// that take longest: `node tools/tests/record-durations.mjs distributed .cache/ci/tests.json`.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";

/** Seconds; shorter files need no place of their own. */
const shortest = 3;

const file = "test/durations.json";
const [engines = "", report = ".cache/ci/tests.json"] = process.argv.slice(2);
const recorded = JSON.parse(readFileSync(file, "utf8"));
if (!Object.hasOwn(recorded, engines)) {
  console.error(`Name the engines of the run: ${Object.keys(recorded).join(" or ")}`);
  process.exit(2);
}
const { testResults } = JSON.parse(readFileSync(report, "utf8"));
const durations = testResults
  .map(({ name, startTime, endTime }) => [
    relative(process.cwd(), name),
    Math.round((endTime - startTime) / 1_000),
  ])
  .filter(([, seconds]) => seconds >= shortest)
  .sort(([a], [b]) => (a < b ? -1 : 1));
recorded[engines] = Object.fromEntries(durations);
writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
