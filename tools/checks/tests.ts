import { readFile } from "node:fs/promises";
import { basename, dirname, join, matchesGlob } from "node:path";
import vitest, { longOnly } from "../../vitest.config.ts";
import { lanesOf, readerOf } from "../tests/lanes.ts";
import { type Check, repositoryFiles, root } from "./check.ts";

/** Test code that is not itself a test file: a test file imports it. */
const shared = /^test\/(support|conformance|cases)\//;

export const tests: Check = {
  name: "tests",
  cannotDetect: "a test that asserts too little (skipped ones are found by lint)",
  async run() {
    const { include = [], exclude = [] } = vitest.test ?? {};
    const isOneOf = (file: string, globs: string[]) =>
      globs.some((glob) => matchesGlob(file, glob));
    const runs = (file: string) =>
      isOneOf(file, longOnly) || isOneOf(file, include) && !isOneOf(file, exclude);
    const named = await repositoryFiles(/\.test\.tsx?$/);
    const problems = named.filter((file) => !runs(file))
      .map((file) => `${file}: vitest.config.ts does not include it, so it never runs`);
    const others = await repositoryFiles(/(?<!\.test)\.(ts|mts|mjs|js|tsx)$/);
    const misnamed = await Promise.all(others.map(async (file) => {
      if (shared.test(file) || !await declaresTests(file)) return [];
      if (await isImportedBySibling(file, named)) return [];
      return `${file}: declares tests, is not called *.test.ts or *.test.tsx, and no test file beside it imports it`;
    }));
    const { unit } = lanesOf(named, readerOf(root));
    const summary = `${named.length} test files, ${unit.length} of them start no engine`;
    return { summary, problems: [...problems, ...misnamed.flat()] };
  },
};

/** A suite may be split into files that one test file next to them imports. */
async function isImportedBySibling(file: string, tests: string[]): Promise<boolean> {
  const siblings = tests.filter((test) => dirname(test) === dirname(file));
  const texts = await Promise.all(siblings.map((test) => readFile(join(root, test), "utf8")));
  return texts.some((text) => text.includes(`from "./${basename(file)}"`));
}

async function declaresTests(file: string): Promise<boolean> {
  const text = await readFile(join(root, file), "utf8");
  return /\bfrom "vitest"/.test(text) && /^\s*(describe|it|test)\(/m.test(text);
}
