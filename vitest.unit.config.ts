import { defineConfig } from "vitest/config";
import { lanesOf, readerOf, testFiles } from "./tools/tests/lanes.ts";
import all, { projectsOf } from "./vitest.config.ts";

/** `npm run test:unit`: the test files that start no engine, so that none is needed. */
const { unit, engines } = lanesOf(testFiles("."), readerOf("."));
console.log(
  `${unit.length} test files that start no engine; left out ${engines.length} that do, which \`npm test\` runs as well.`,
);

export default defineConfig({
  test: {
    ...all.test,
    include: unit,
    globalSetup: [],
    projects: projectsOf(unit, {}, {
      setupFiles: ["test/support/engines/no-engines.ts"],
      // Programs that a test starts must not start a PostgreSQL of their own either.
      env: { METADATA_POSTGRES_URL: "postgres://unit-lane.invalid/no_postgresql_in_the_unit_lane" },
    }),
  },
});
