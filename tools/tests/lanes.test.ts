import { expect, it } from "vitest";
import { lanesOf } from "./lanes.ts";

const files: Record<string, string> = {
  "a/pure.test.ts":
    'import { a } from "./a.ts";\nimport type { D } from "#test/support/engines/database.ts";',
  "a/a.ts": 'import { b } from "#b/b.ts";',
  "b/b.ts": 'import { startEmbedded } from "#metadata/postgres/embedded.ts";',
  "a/direct.test.ts": 'import { testDatabase } from "#test/support/engines/database.ts";',
  "a/by-way.test.ts": 'import {\n  world,\n} from "./testing/world.ts";',
  "a/testing/world.ts": 'export * from "#test/support/engines/processes.ts";',
  "a/late.test.ts": 'const { d } = await import("#test/support/engines/database.ts");',
  "a/own.test.ts": 'import { startEmbedded } from "#metadata/postgres/embedded.ts";',
  "a/shared.test.ts": 'const url = inject("postgresUrl");',
};

it("lanesOf: who reaches an engine by imports is in the engines lane, with what shows it", () => {
  const tests = Object.keys(files).filter((file) => file.endsWith(".test.ts"));
  expect(lanesOf(tests, (file) => files[file] ?? "")).toEqual({
    unit: ["a/pure.test.ts"],
    engines: [
      { file: "a/direct.test.ts", by: "test/support/engines/database.ts" },
      { file: "a/by-way.test.ts", by: "test/support/engines/processes.ts" },
      { file: "a/late.test.ts", by: "test/support/engines/database.ts" },
      { file: "a/own.test.ts", by: "a/own.test.ts" },
      { file: "a/shared.test.ts", by: "a/shared.test.ts" },
    ],
  });
});
