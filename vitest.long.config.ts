import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import { importersOf, readerOf, testFiles } from "./tools/tests/lanes.ts";
import all, { longOnly, native, projectsOf } from "./vitest.config.ts";

/** `npm run test:long`: what has a larger size, at that size, and what only this command runs; hours on two cores. */
const files = testFiles(".");
const sized = new Set(importersOf("test/support/size.ts", files, readerOf(".")));
const include = files.filter((file) =>
  sized.has(file) || longOnly.some((glob) => matchesGlob(file, glob))
);

export default defineConfig({
  test: {
    ...all.test,
    include,
    projects: projectsOf(include, native, { testTimeout: 7_200_000, hookTimeout: 7_200_000 }),
  },
});
