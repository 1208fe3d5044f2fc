import process from "node:process";
import { lanesOf, readerOf, testFiles } from "./lanes.ts";

/** Parts of the test run that CI can run by themselves (`.ci/run <lane>`); together they are `npm test`. */
export const testLanes = ["unit", "features", "faults", "web"] as const;
export type TestLane = typeof testLanes[number];

/** The lane that `TRIBUTARY_TEST_LANE` names; undefined when it is unset. Throws for an unknown name. */
export function chosenLane(): TestLane | undefined {
  const name = process.env.TRIBUTARY_TEST_LANE;
  if (!name) return undefined;
  const lane = testLanes.find((known) => known === name);
  if (!lane) throw new Error(`TRIBUTARY_TEST_LANE is ${name}; there are ${testLanes.join(", ")}`);
  return lane;
}

/** The lane of a test file; `unit` are the files that start no engine. */
export function laneOf(file: string, unit: ReadonlySet<string>): TestLane {
  if (file.startsWith("test/web/")) return "web";
  if (unit.has(file)) return "unit";
  return /^test\/(faults|hardening)\//.test(file) ? "faults" : "features";
}

/** The test files of a lane of this repository, sorted by path. */
export function laneFiles(lane: TestLane): string[] {
  const files = testFiles(".");
  const unit = new Set(lanesOf(files, readerOf(".")).unit);
  return files.filter((file) => laneOf(file, unit) === lane);
}
