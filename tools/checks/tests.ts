import { readFile } from "node:fs/promises";
import { join, matchesGlob } from "node:path";
import vitest from "../../vitest.config.ts";
import { type Check, repositoryFiles, root } from "./check.ts";

/** Code of tests that is no test file itself: it is imported by one. */
const shared = /^test\/(support|conformance|cases)\//;

export const tests: Check = {
  name: "tests",
  cannotDetect: "a test that asserts too little (skipped ones are found by lint)",
  async run() {
    const { include = [], exclude = [] } = vitest.test ?? {};
    const runs = (file: string) =>
      include.some((glob) => matchesGlob(file, glob)) &&
      !exclude.some((glob) => matchesGlob(file, glob));
    const named = await repositoryFiles(/\.test\.ts$/);
    const problems = named.filter((file) => !runs(file))
      .map((file) => `${file}: vitest.config.ts does not include it, so it never runs`);
    const others = await repositoryFiles(/(?<!\.test)\.(ts|mts|mjs|js|tsx)$/);
    const misnamed = await Promise.all(others.map(async (file) => {
      if (shared.test(file) || !await declaresTests(file)) return [];
      return `${file}: declares tests but is not called *.test.ts, so it never runs`;
    }));
    return { summary: `${named.length} test files`, problems: [...problems, ...misnamed.flat()] };
  },
};

async function declaresTests(file: string): Promise<boolean> {
  const text = await readFile(join(root, file), "utf8");
  return /\bfrom "vitest"/.test(text) && /^\s*(describe|it|test)\(/m.test(text);
}
