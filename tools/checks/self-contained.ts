import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Check, repositoryFiles, root } from "./check.ts";

/** Patterns that no line of this repository may match, with the reason. */
const patterns: [RegExp, string][] = [
  [/\b(?:TODO|FIXME|XXX|HACK)\b/, "left for later: do it, or open an issue"],
  [/(?:^|[\s"'`(=:])\/(?:work|home|root|Users)\//, "a path of one machine"],
  [/^\s*"resolved": "https?:/, "a download host in the lock file (.npmrc leaves them out)"],
  [/\b(?:reference [A-Z]\.\d|design §)/, "a document that is not in this repository"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"],
];

export const selfContained: Check = {
  name: "self-contained",
  cannotDetect: "unfinished work that does not say so, and secrets of other shapes",
  async run() {
    const files = await repositoryFiles(/\.(?!png$|ico$|gz$|pb$)[a-z]+$|(^|\/)[A-Za-z]+$/);
    const others = files.filter((file) => file !== "tools/checks/self-contained.ts");
    const problems = await Promise.all(others.map(problemsOf));
    return { summary: `${files.length} files`, problems: problems.flat() };
  },
};

async function problemsOf(file: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  return text.split("\n").flatMap((line, index) =>
    patterns.filter(([pattern]) => pattern.test(line))
      .map(([, reason]) => `${file}:${index + 1}: ${reason}: ${line.trim().slice(0, 80)}`)
  );
}
