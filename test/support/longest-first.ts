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

/** Begins with the files that take longest, so that none of them is left to run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const seconds = new Map(sorted.map((file) => [file, secondsOf(file)]));
    console.log(forecast(sorted, seconds));
    // The few files that have a process each come first, since a process ends when another kind of file is next.
    return sorted.sort((a, b) =>
      Number(isShared(a)) - Number(isShared(b)) || seconds.get(b)! - seconds.get(a)!
    );
  }
}

const isShared = ({ project }: TestSpecification) => project.config.isolate === false;

function secondsOf({ moduleId }: TestSpecification): number {
  return recorded.get(relative(process.cwd(), moduleId).replaceAll("\\", "/")) ?? usualSeconds;
}

/** How long the run will take, from recorded durations on two cores. */
function forecast(files: TestSpecification[], seconds: Map<TestSpecification, number>): string {
  const each = [...seconds.values()];
  const workers = files[0]?.project.config.maxWorkers ?? 1;
  const total = Math.max(each.reduce((sum, one) => sum + one, 0) / workers, ...each, 1);
  const time = total < 90 ? `${Math.ceil(total)} seconds` : `${Math.ceil(total / 60)} minutes`;
  return `${files.length} test files, about ${time} with ${workers} processes`;
}
