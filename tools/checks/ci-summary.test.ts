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
  writeFileSync(path, JSON.stringify({ testResults }));
  return path;
}

function run(script: string, ...args: string[]) {
  const { stdout, status } = spawnSync("node", [`tools/checks/${script}`, ...args]);
  return { lines: stdout.toString().trim().split("\n"), status };
}

const none = join(directory, "none.json");

it("ci-summary: counts what passed, and names what failed or was skipped", () => {
  const tests = report("one.json", file("a", "passed", "failed"), file("b", "skipped"));
  expect(run("ci-summary.mjs", tests, none, "0", "1", "0")).toEqual({
    lines: ["failed: a: test 1", "skipped: b: test 0", "1 passed, 2 failed"],
    status: 1,
  });
});

it("ci-summary: a file counts by its second run, and its first failure is told", () => {
  const tests = report("first.json", file("a", "passed", "failed"), file("b", "passed"));
  const again = report("again.json", file("a", "passed", "passed"));
  expect(run("ci-summary.mjs", tests, again, "0", "0", "0")).toEqual({
    lines: ["run again: failed: a: test 1", "3 passed, 0 failed"],
    status: 0,
  });
});

it("ci-summary: what fails twice fails", () => {
  const tests = report("first.json", file("a", "failed"), file("b", "passed"));
  const again = report("again.json", file("a", "failed"));
  expect(run("ci-summary.mjs", tests, again, "0", "1", "0").status).toBe(1);
});

it("ci-summary: no report, checks and documents that failed, and an unexplained end fail", () => {
  const tests = report("good.json", file("a", "passed"));
  expect(run("ci-summary.mjs", none, none, "0", "1", "0").status).toBe(1);
  expect(run("ci-summary.mjs", tests, none, "1", "0", "0").status).toBe(1);
  expect(run("ci-summary.mjs", tests, none, "0", "0", "1").status).toBe(1);
  expect(run("ci-summary.mjs", tests, none, "0", "1", "0")).toEqual({
    lines: ["npm test ended with 1", "1 passed, 1 failed"],
    status: 1,
  });
  expect(run("ci-summary.mjs", tests, none, "0", "0", "0").status).toBe(0);
});

it("ci-again: names up to three files that failed, and none of more", () => {
  const three = ["a", "b", "c"].map((name) => file(name, "failed"));
  const passed = file("d", "passed");
  expect(run("ci-again.mjs", report("three.json", ...three, passed)).lines).toEqual([
    "a",
    "b",
    "c",
  ]);
  expect(run("ci-again.mjs", report("four.json", ...three, file("e", "failed"))).lines).toEqual([
    "",
  ]);
});
