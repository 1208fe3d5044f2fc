// The last line of .ci/run: `<n> passed, <n> failed`, from vitest's JSON report and the exit codes of the checks, of
// the test run and of schemathesis, `none` for what did not run. Exits with 1 when anything failed or was skipped.
import { readFileSync } from "node:fs";
import process from "node:process";

const [file = "", checks, tests, documents] = process.argv.slice(2);
const failures = [];
let passed = 0;

if (tests !== "none") readReport();
for (const [command, code] of [["ok", checks], ["schemathesis", documents]]) {
  if (code === "0") passed++;
  else if (code !== "none") failures.push(`npm run ${command} failed`);
}
if (tests !== "0" && tests !== "none" && failures.length === 0) {
  failures.push(`npm test ended with ${tests}`);
}

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function readReport() {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    passed = report.numPassedTests;
    for (const { name, status, message, assertionResults } of report.testResults) {
      for (const { fullName, status } of assertionResults) {
        if (status !== "passed") failures.push(`${status}: ${name}: ${fullName}`);
      }
      const silent = assertionResults.every((test) => test.status === "passed");
      if (status !== "passed" && silent) failures.push(`failed to load: ${name}: ${message}`);
    }
    if (passed === 0) failures.push("no test ran");
  } catch (error) {
    failures.push(`the tests left no report: ${error instanceof Error ? error.message : error}`);
  }
}
