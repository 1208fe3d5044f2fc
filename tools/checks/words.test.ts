import { expect, it } from "vitest";
import { namesIn, phrasesIn } from "./words.ts";

const refused: [what: string, code: string, word: string][] = [
  ["a variable", "const toldOf = 1;", "told"],
  ["a parameter", "export const f = (asked: number) => asked;", "asked"],
  ["a private member", "class A { #held = 1; }", "held"],
  ["a member of a type", "interface A { keptUntil: number }", "kept"],
  ["a function", "function judgeItems() {}", "judge"],
  ["a name taken from an object", "const { verdict } = row;", "verdict"],
];

it.each(refused)(
  "words: %s with a refused word is found, with the word to use",
  (_, code, word) => {
    expect(namesIn("a.ts", code)).toEqual([expect.stringContaining(`instead of "${word}" use `)]);
  },
);

it("words: a type that is only a participle is found", () => {
  expect(namesIn("a.ts", "export interface Found { id: number }"))
    .toEqual(["a.ts:1: Found: types are nouns, such as FoundMessage"]);
});

const accepted: [what: string, code: string][] = [
  ["a use of a member", "export const x = row.verdict;"],
  ["a column in snake case", "interface Row { judged_run: string }"],
  ["an enum code of the interface", "const texts = { HELD_BACK: 1 };"],
  ["another word that contains it", "const beheld = 1, toldo = 2;"],
];

it.each(accepted)("words: %s is not", (_, code) => {
  expect(namesIn("a.ts", code)).toEqual([]);
});

it("words: a phrase is found where it stands", () => {
  expect(phrasesIn("a.ts", "// fine\n/** The client is told of it, by whoever leads. */")).toEqual([
    'a.ts:2: instead of "is told" write: is sent, reported',
    'a.ts:2: instead of "told of" write: reported, distinguished, returned',
    'a.ts:2: instead of "whoever" write: the caller, a client, a user who',
  ]);
});

const plain = ["there is none", "beside-controls.ts", "amended", "a maker of words"];

it.each(plain)("words: a phrase that only looks like a refused one is not: %s", (text) => {
  expect(phrasesIn("a.md", text)).toEqual([]);
});
