import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { schemaFiles } from "#metadata/schema/migrate.ts";
import { release } from "#test/support/engines/release.ts";
import { shippedFiles } from "../../tools/checks/program.ts";

const { numbered, functions } = schemaFiles();
const bare = (sql: string) => sql.replace(/--.*$/gm, "");
const defined = (sql: string) =>
  [...bare(sql).matchAll(/CREATE (?:OR REPLACE )?(?:FUNCTION|VIEW|TRIGGER)\s+(\w+)/gi)]
    .map((match) => match[1]!);

/**
 * Functions that a numbered file must define because a table depends on them (a default, a generated
 * column, an index), with the reason. They never change: a changed one gets a new name.
 */
const ofNumbered: Record<string, string> = {};

it.each<[Record<string, string>, RegExp]>([
  [{ "0001_a.sql": "", "0001_b.sql": "" }, /^0001_b\.sql has the number of another file/],
  [{ "1_a.sql": "" }, /^1_a\.sql .* must be called NNNN_<what>\.sql/],
  [{}, /no numbered file/],
])("schemaFiles refuses %o", (files, said) => {
  expect(() => schemaFiles(release(files))).toThrow(said);
});

it("numbered files define no function but those that tables rest on", () => {
  expect(numbered.flatMap(({ sql }) => defined(sql))).toEqual(Object.keys(ofNumbered));
});

it("numbered files call no function that is written again with each release", () => {
  const names = functions.flatMap(({ sql }) => defined(sql));
  expect(names.length).toBeGreaterThan(90);
  const called = numbered.flatMap(({ name, sql }) =>
    names.filter((f) => new RegExp(`\\b${f}\\s*\\(`).test(bare(sql))).map((f) => `${name}: ${f}`)
  );
  const instead =
    "let the statement that writes the row call it, or define a frozen one in ofNumbered";
  expect(called, instead).toEqual([]);
});

it("what is written again with each release makes no table, and can be written again", () => {
  const wrong = functions.flatMap(({ name, sql }) =>
    [...bare(sql).matchAll(/^ *(CREATE|ALTER|DROP)\b.*$/gm)].map(([line]) => line.trim())
      .filter((line) => !/^(CREATE OR REPLACE|DROP \w+ IF EXISTS)\b/.test(line))
      .map((line) => `${name}: ${line}`)
  );
  expect(wrong).toEqual([]);
});

it("a function stands in one file", () => {
  const definedIn = new Map<string, Set<string>>();
  for (const { name, sql } of functions) {
    for (const f of defined(sql)) definedIn.set(f, (definedIn.get(f) ?? new Set()).add(name));
  }
  expect([...definedIn].filter(([, files]) => files.size > 1)).toEqual([]);
});

it("members of features to come are made in to-come.sql alone", () => {
  const others = functions.filter(({ name }) => name !== "functions/to-come.sql");
  const found = others.flatMap(({ name, sql }) =>
    [...sql.matchAll(/'(lookup_table\w*|severity|terms|roles)',\s*(NULL|json_build_array|'\[\])/gi)]
      .map(([text]) => `${name}: ${text}`)
  );
  expect(found).toEqual([]);
  const all = functions.map(({ sql }) => sql).join("\n");
  for (const f of ["lookup_table_shown", "test_severity", "json_terms"]) {
    expect([f, all.split(`${f}(`).length - 1]).toEqual([f, 2]);
  }
});

it("files of the schema can be read: at most 250 lines", () => {
  const long = [...numbered, ...functions].filter(({ sql }) => sql.split("\n").length > 250);
  expect(long.map(({ name }) => name)).toEqual([]);
});

it("what a live entity is stands in one place: no SQL compares a status with the number of DELETED", async () => {
  const compares = /\bstatus (<>|!=|=) 5\b/;
  const ours = (await shippedFiles()).filter((file) => compares.test(readFileSync(file, "utf8")));
  const inFunctions = functions.filter(({ sql }) => compares.test(bare(sql)));
  expect([ours, inFunctions.map(({ name }) => name)]).toEqual([[], ["functions/basics.sql"]]);
});
