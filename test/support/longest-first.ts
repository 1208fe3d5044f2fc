import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders whose files take minutes, the longest first. */
const long = ["/test/faults/", "/test/web/", "/test/e2e/", "/bench/"];

/** Begins with the files that take longest, so that none of them is left to run alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const places = new Map(sorted.map((file) => [file, placeOf(file.moduleId)]));
    return sorted.sort((a, b) => places.get(a)! - places.get(b)!);
  }
}

function placeOf(path: string): number {
  const at = long.findIndex((folder) => path.includes(folder));
  return at < 0 ? long.length : at;
}
