import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const directory = mkdtempSync(join(tmpdir(), "ci-summary-"));
afterAll(() => rmSync(directory, { recursive: true }));

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.every((status) => status === "passed") ? "passed" : "failed",
  message: "",
  assertionResults: statuses.map((status, at) => ({ fullName: `test ${at}`, status })),
});

function report(name: string, ...testResults: ReturnType<typeof file>[]): string {
  const path = join(directory, name);
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const numPassedTests = all.filter(({ status }) => status === "passed").length;
  writeFileSync(path, JSON.stringify({ numPassedTests, testResults }));
  return path;
}

function summary(...args: string[]) {
  const { stdout, status } = spawnSync("node", ["tools/checks/ci-summary.mjs", ...args]);
  return { lines: stdout.toString().trim().split("\n"), status };
}

const none = join(directory, "none.json");

it("ci-summary: counts what passed, and names what failed or was skipped", () => {
  const tests = report("one.json", file("a", "passed", "failed"), file("b", "skipped"));
  expect(summary(tests, "0", "1", "0")).toEqual({
    lines: ["failed: a: test 1", "skipped: b: test 0", "3 passed, 2 failed"],
    status: 1,
  });
});

it("ci-summary: no report, checks and documents that failed, and an unexplained end fail", () => {
  const tests = report("good.json", file("a", "passed"));
  expect(summary(none, "0", "1", "0").status).toBe(1);
  expect(summary(tests, "1", "0", "0").status).toBe(1);
  expect(summary(tests, "0", "0", "1").status).toBe(1);
  expect(summary(tests, "0", "1", "0")).toEqual({
    lines: ["npm test ended with 1", "3 passed, 1 failed"],
    status: 1,
  });
  expect(summary(tests, "0", "0", "0").status).toBe(0);
});

it("ci-summary: what a lane does not run neither passes nor fails", () => {
  const tests = report("lane.json", file("a", "passed"));
  expect(summary(tests, "none", "0", "none")).toEqual({ lines: ["1 passed, 0 failed"], status: 0 });
  expect(summary(none, "0", "none", "none")).toEqual({ lines: ["1 passed, 0 failed"], status: 0 });
  expect(summary(none, "1", "none", "none")).toEqual({
    lines: ["npm run ok failed", "0 passed, 1 failed"],
    status: 1,
  });
});
