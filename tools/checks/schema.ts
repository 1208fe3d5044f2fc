import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { capture, type Check, repositoryFiles, root } from "./check.ts";

const folder = "metadata/schema/";
const numbered = /^metadata\/schema\/(\d{4})_/;

/** Texts of the files of a schema, by path. */
export type SchemaTexts = Map<string, string>;

export const schema: Check = {
  name: "schema",
  cannotDetect: "what was released without a tag v…, or in a clone without tags",
  async run() {
    const tag = await lastRelease();
    const files = await repositoryFiles(/^metadata\/.*\.sql$/);
    const stray = strayFiles(files);
    const texts = await Promise.all(
      files.map(async (file) => [file, await readFile(join(root, file), "utf8")] as const),
    );
    const summary = `${files.length} files since ${tag ?? "no release"}`;
    if (!tag) return { summary, problems: stray };
    const changed = changedSince(tag, await released(tag), new Map(texts));
    return { summary, problems: [...stray, ...changed] };
  },
};

/** SQL files outside the folders that are applied. */
export function strayFiles(files: string[]): string[] {
  return files.filter((file) => !/^metadata\/schema\/(functions\/)?[^/]+$/.test(file))
    .map((file) => `${file}: is never applied; the schema stands in ${folder}`);
}

/** Changes since the release `tag` that its databases, or its processes during an upgrade, cannot bear. */
export function changedSince(tag: string, before: SchemaTexts, now: SchemaTexts): string[] {
  const newest = Math.max(0, ...[...before.keys()].map(numberOf));
  const added = [...now.keys()].filter((file) => !before.has(file) && numberOf(file) > 0);
  const changed = [...new Set([...before.keys(), ...now.keys()])]
    .filter((file) => before.get(file) !== now.get(file));
  const frozen = changed.filter((file) => numberOf(file) > 0 && before.has(file))
    .map((file) => `${file}: ${tag} applied it as it was; the change belongs in a new file`);
  const late = added.filter((file) => numberOf(file) <= newest)
    .map((file) => `${file}: ${tag} has ${newest} already; give it a number above`);
  const functions = changed.filter((file) => numberOf(file) === 0);
  const unknown = functions.length > 0 && added.every((file) => numberOf(file) <= newest)
    ? [
      `${
        functions[0]
      }: changed since ${tag} without a numbered file, by which ${tag} would know that ` +
      "its own functions are older: add one, be it a comment",
    ]
    : [];
  return [...frozen, ...late, ...unknown];
}

/** The number of a numbered file, else 0. */
function numberOf(file: string): number {
  return Number(numbered.exec(file)?.[1] ?? 0);
}

async function lastRelease(): Promise<string | null> {
  const { code, stdout } = await git(["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]);
  return code === 0 ? stdout.trim() : null;
}

async function released(tag: string): Promise<SchemaTexts> {
  const { stdout } = await git(["ls-tree", "-r", "--name-only", "-z", tag, folder]);
  const files = stdout.split("\0").filter((file) => file.endsWith(".sql"));
  const texts = await Promise.all(
    files.map(async (file) => [file, (await git(["show", `${tag}:${file}`])).stdout] as const),
  );
  return new Map(texts);
}

function git(args: string[]) {
  return capture("git", ["-c", "safe.directory=*", ...args]);
}
