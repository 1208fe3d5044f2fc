// Gathers the fragments of `changes/` into CHANGELOG.md at a release: `npm run changelog`.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fragmentsIn } from "./changelog/folder.ts";
import { sectionOf, withSection } from "./changelog/fragments.ts";
import { runCommand } from "./command.ts";

const usage = `Usage: npm run changelog [-- --draft]

Writes the fragments of changes/ into CHANGELOG.md, as the section of the version in package.json, and
removes them. --draft only prints the section.

Exit codes: 0 done, 1 a fragment is wrong or there is none, 2 wrong use.`;

export interface Release {
  /** The repository. */
  root: string;
  /** ISO 8601. */
  day: string;
  draft: boolean;
  /** Default: the one in package.json. */
  version?: string;
}

/** Gathers the fragments; returns the exit code and the text to print. */
export function gather(
  { root, day, draft, version = versionIn(root) }: Release,
): { code: number; text: string } {
  const { fragments, problems } = fragmentsIn(join(root, "changes"));
  if (problems.length > 0) return { code: 1, text: problems.map((p) => `changes/${p}`).join("\n") };
  if (fragments.size === 0) return { code: 1, text: "There are no fragments in changes/." };
  const section = sectionOf(version, day, [...fragments.values()]);
  if (draft) return { code: 0, text: section };
  const file = join(root, "CHANGELOG.md");
  writeFileSync(file, withSection(readFileSync(file, "utf8"), version, section));
  for (const name of fragments.keys()) rmSync(join(root, "changes", name));
  return { code: 0, text: `CHANGELOG.md lists ${fragments.size} changes of ${version}.` };
}

function versionIn(root: string): string {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}

function main(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: { draft: { type: "boolean", default: false } } });
    const day = new Date().toISOString().slice(0, 10);
    const { code, text } = gather({ root: ".", day, draft: values.draft });
    console.log(text);
    return Promise.resolve(code);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.error(usage);
    return Promise.resolve(2);
  }
}

if (import.meta.main) await runCommand(main);
