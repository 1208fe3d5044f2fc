import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Beginnings of the paths of test files that take minutes, the longest first; Vitest would begin with large files. */
const long = ["test/faults/distributed", "bench/"];

/** Starts the longest test files first, so that the workers end at about the same time. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files);
    return ordered.map((file, at) => ({ file, at, rank: rankOf(file.moduleId) }))
      .sort((a, b) => a.rank - b.rank || a.at - b.at)
      .map(({ file }) => file);
  }
}

function rankOf(path: string): number {
  const rank = long.findIndex((start) => path.includes(`/${start}`));
  return rank === -1 ? long.length : rank;
}
