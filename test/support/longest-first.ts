import { readFileSync } from "node:fs";
import { relative } from "node:path";
import process from "node:process";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const engines = process.env.TRIBUTARY_TEST_DISTRIBUTED === "1" ? "distributed" : "embedded";

/** Seconds of each long test file in an earlier run on these engines; `node tools/tests/record-durations.mjs` writes them. */
const recorded = new Map<string, number>(
  Object.entries(JSON.parse(readFileSync("test/durations.json", "utf8"))[engines]),
);

/** Seconds of a file that was not recorded, in the mean. */
const usualSeconds = 0.5;

/** Seconds from which a file is slow: such a file mostly waits, for engines that start or processes that were killed. */
const slow = 8;

/**
 * Begins with the files that take longest, so that none of them is left to run alone at the end. Files with a browser keep
 * the cores busy, slow ones leave them idle, so all kinds run side by side.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = new Map(sorted.map((file) => [file, secondsOf(file)]));
    console.log(forecast(sorted, seconds));
    sorted.sort((a, b) => seconds.get(b)! - seconds.get(a)!);
    // A process ends when a file of another project is next, so the projects of few files come first.
    const few = sorted.filter(({ project }) => project.name !== "tests");
    const kinds = Map.groupBy(
      sorted.filter(({ project }) => project.name === "tests"),
      (file) =>
        pathOf(file).startsWith("test/web/")
          ? "browser"
          : seconds.get(file)! >= slow
          ? "slow"
          : "quick",
    );
    return [
      ...few.sort((a, b) => a.project.name < b.project.name ? 1 : -1),
      ...sideBySide([...kinds.values()], (file) => seconds.get(file)!),
    ];
  }
}

/** Merges lists so that at each place about the same share of all has passed, by the weight of their elements. */
function sideBySide<T>(lists: T[][], weight: (element: T) => number): T[] {
  const placed = lists.flatMap((list) => {
    const total = list.reduce((sum, element) => sum + weight(element), 0);
    let passed = 0;
    return list.map((element) => {
      const at = passed / total;
      passed += weight(element);
      return { element, at };
    });
  });
  return placed.sort((a, b) => a.at - b.at).map(({ element }) => element);
}

const pathOf = ({ moduleId }: TestSpecification) =>
  relative(process.cwd(), moduleId).replaceAll("\\", "/");

const secondsOf = (file: TestSpecification) => recorded.get(pathOf(file)) ?? usualSeconds;

/** How long the run will take, from recorded durations on two cores. */
function forecast(files: TestSpecification[], seconds: Map<TestSpecification, number>): string {
  const each = [...seconds.values()];
  const workers = files[0]?.project.config.maxWorkers ?? 1;
  const total = Math.max(each.reduce((sum, one) => sum + one, 0) / workers, ...each, 1);
  const time = total < 90 ? `${Math.ceil(total)} seconds` : `${Math.ceil(total / 60)} minutes`;
  return `${files.length} test files, about ${time} with ${workers} processes`;
}
