import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Check, repositoryFiles, root } from "./check.ts";

/** Whoever moves a tag, or publishes a release within a range, would otherwise run code here that nobody reviewed. */
export const pins: Check = {
  name: "pins",
  cannotDetect: "a commit that does not belong to the version in its comment",
  async run() {
    const workflows = await repositoryFiles(/^\.github\/.*\.ya?ml$/);
    const texts = await Promise.all(workflows.map((file) => readFile(join(root, file), "utf8")));
    const manifests = await repositoryFiles(/(^|\/)package\.json$/);
    const packages = await Promise.all(
      manifests.map(async (file) => JSON.parse(await readFile(join(root, file), "utf8"))),
    );
    return {
      summary: `${workflows.length} workflows and ${manifests.join(", ")}`,
      problems: [
        ...workflows.flatMap((file, at) =>
          actionProblems(texts[at]!).map((problem) => `${file}:${problem}`)
        ),
        ...manifests.flatMap((file, at) =>
          packageProblems(packages[at]).map((problem) => `${file}: ${problem}`)
        ),
      ],
    };
  },
};

/** Actions that are not named by a whole commit, with the version in a comment. */
export function actionProblems(workflow: string): string[] {
  return workflow.split("\n").flatMap((line, at) => {
    const [, used] = /^\s*(?:-\s*)?uses:\s*(.*)$/.exec(line) ?? [];
    if (used === undefined || /^\.\//.test(used)) return [];
    if (/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)) return [];
    return [`${at + 1}: pin ${used} to a whole commit: owner/action@<40 digits> # v1.2.3`];
  });
}

/** Packages that are not named by one exact version. */
export function packageProblems(packages: Record<string, unknown>): string[] {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  // lookup-ok -- names of ours, in a file of ours
  return kinds.flatMap((kind) => Object.entries((packages[kind] ?? {}) as Record<string, string>))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name} must be one exact version (is ${version})`);
}
