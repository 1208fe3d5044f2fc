import process from "node:process";
import { defineConfig } from "vitest/config";
import { importersOf, readerOf, testFiles } from "./tools/tests/lanes.ts";
import all, { projectsOf } from "./vitest.config.ts";

/** `npm run test:long`: campaigns, fuzzing and walks at their full size; hours on two cores. */
process.env.TRIBUTARY_TEST_LONG = "1";
const sized = importersOf("test/support/size.ts", testFiles("."), readerOf("."));

export default defineConfig({
  test: { ...all.test, include: sized, projects: projectsOf(sized, { testTimeout: 7_200_000 }) },
});
