import { expect, it } from "vitest";
import { changedSince, type SchemaTexts, strayFiles } from "./schema.ts";

const schema = (files: Record<string, string>): SchemaTexts =>
  new Map(Object.entries(files).map(([name, text]) => [`metadata/schema/${name}`, text]));

const released = { "0001_a.sql": "a", "0004_b.sql": "b", "functions/x.sql": "x" };
const since = (files: Record<string, string>) =>
  changedSince("v1.0.0", schema(released), schema(files));

it.each<[string, Record<string, string>]>([
  ["nothing changed", released],
  ["a table was added", { ...released, "0005_c.sql": "c" }],
  ["functions changed with a number", {
    ...released,
    "0005_c.sql": "-- c",
    "functions/x.sql": "y",
  }],
])("is content when %s", (_, files) => {
  expect(since(files)).toEqual([]);
});

it.each<[string, Record<string, string>, RegExp]>([
  ["a released file that changed", { ...released, "0001_a.sql": "other" }, /0001_a\.sql: v1\.0\.0/],
  ["one that is gone", { "0001_a.sql": "a", "functions/x.sql": "x" }, /0004_b\.sql: v1\.0\.0/],
  ["a number that comes too late", { ...released, "0003_c.sql": "c" }, /0003_c\.sql: .* above/],
  ["functions that changed alone", { ...released, "functions/x.sql": "y" }, /x\.sql: .* numbered/],
  [
    "functions that were added alone",
    { ...released, "functions/y.sql": "y" },
    /y\.sql: .* numbered/,
  ],
])("names %s", (_, files, expected) => {
  expect(since(files)).toEqual([expect.stringMatching(expected)]);
});

it("names files that nobody applies", () => {
  const applied = ["metadata/schema/0001_a.sql", "metadata/schema/functions/x.sql"];
  const stray = ["metadata/migrations/0067_b.sql", "metadata/schema/functions/room/x.sql"];
  expect(strayFiles([...applied, ...stray])).toEqual(
    stray.map((file) => expect.stringContaining(`${file}: is never applied`)),
  );
});
