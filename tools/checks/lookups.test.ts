import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lookupsIn } from "./lookups.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-lookups-"));
mkdirSync(join(directory, "kit"));
afterAll(() => rmSync(directory, { recursive: true }));

const before = `
const table: Record<string, string> = { a: "b" };
const closed = { a: 1, b: 2 };
type Name = keyof typeof closed;
declare const word: string, name: Name, list: string[], number: number;
`;

const found: [what: string, code: string][] = [
  ["a table of ours, read", "export const x = table[word] ?? word;"],
  ["and with a text put together", "export const x = table[`${word}.a`];"],
  ["and written", "table[word] = word;"],
  ["a cast that hides it", "export const x = closed[word as Name];"],
  ["through an optional chain", "export const x = (table as typeof table | undefined)?.[word];"],
  ["keys of another object", "for (const k of Object.keys(closed)) table[k] = word;"],
  ["an exception without its reason", "// lookup-ok\nexport const x = table[word];"],
  ["a parameter that is any text", "export const f = <K extends string>(k: K) => table[k];"],
];
const passed: typeof found = [
  ["a name of a closed list", "export const x = closed[name];"],
  ["a place in a list", "export const x = list[number];"],
  ["a literal name", 'export const x = table["a"];'],
  ["a Map", "export const x = new Map(Object.entries(table)).get(word);"],
  ["its own keys", "for (const k of Object.keys(table)) table[k] = word;"],
  ["its own keys, sorted", "for (const k of Object.keys(table).sort()) list.push(table[k]!);"],
  ["an exception with its reason", "// lookup-ok -- none\nexport const x = [\n  table[word],\n];"],
];

const file = (what: string) => `kit/${what.replaceAll(/\W/g, "-")}.ts`;
let problems: string[];
beforeAll(() => {
  const all = [...found, ...passed];
  for (const [what, code] of all) writeFileSync(join(directory, file(what)), before + code);
  // One program for all cases, because loading the runtime's types takes most of the time.
  problems = lookupsIn(all.map(([what]) => file(what)), directory);
});

it.each(found)("lookups: %s is found", (what, code) => {
  const last = (before + code).split("\n").length;
  expect(problems.filter((problem) => problem.startsWith(`${file(what)}:`)))
    .toEqual([expect.stringContaining(`${file(what)}:${last}: `)]);
});

it.each(passed)("lookups: %s is not", (what) => {
  expect(problems.filter((problem) => problem.startsWith(`${file(what)}:`))).toEqual([]);
});
