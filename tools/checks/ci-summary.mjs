// The last line of .ci/run: `<n> passed, <n> failed`, from vitest's JSON reports and the exit codes of
// the checks, of the test run and of schemathesis. Exits with 1 when anything failed or was skipped.
// A file that was run again counts by its second run, and what failed in the first is printed.
import { existsSync } from "node:fs";
import process from "node:process";
import { failuresOf, passedIn, resultsIn } from "./ci-report.mjs";

const [file = "", again = "", checks, tests, documents] = process.argv.slice(2);
const failures = [];
let passed = 0;

try {
  const second = new Map((existsSync(again) ? resultsIn(again) : []).map((one) => [one.name, one]));
  for (const first of resultsIn(file)) {
    const counted = second.get(first.name) ?? first;
    passed += passedIn(counted);
    failures.push(...failuresOf(counted));
    if (counted === first) continue;
    for (const line of failuresOf(first)) console.log(`run again: ${line}`);
  }
  if (passed === 0) failures.push("no test ran");
} catch (error) {
  failures.push(`the tests left no report: ${error instanceof Error ? error.message : error}`);
}
if (checks !== "0") failures.push("npm run ok failed");
if (documents !== "0") failures.push("npm run schemathesis failed");
if (tests !== "0" && failures.length === 0) failures.push(`npm test ended with ${tests}`);

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
