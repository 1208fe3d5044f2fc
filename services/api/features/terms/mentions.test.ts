import { expect, test } from "vitest";
import { mentionsIn } from "#services/api/features/terms/mentions.ts";

const names = (text: string) => mentionsIn(text).map((m) => `${m.namespace}|${m.name}`);

test.each([
  ["one in a sentence", "see [[Sales:Net revenue]].", ["Sales|Net revenue"]],
  ["each once, in order", "[[b:x]] [[a:x]] [[b:x]]", ["b|x", "a|x"]],
  ["blanks around names", "[[ a : b c ]]", ["a|b c"]],
  ["a colon in the name", "[[a:b:c]]", ["a|b:c"]],
  ["three brackets", "[[[a:b]]]", ["a|b"]],
  ["no namespace, no name, no colon", "[[:a]] [[a:]] [[a]] [[]]", []],
  ["an open one before a whole one", "[[a:b [[c:d]]", ["c|d"]],
  ["line breaks", "[[a:\nb]]", []],
  ["a name that is too long", `[[a:${"x".repeat(256)}]] [[a:${"x".repeat(255)}]]`, [
    `a|${"x".repeat(255)}`,
  ]],
])("mentions: %s", (_, text, expected) => {
  expect(names(text)).toEqual(expected);
});

test("mentions: a text of open brackets takes no longer than its length", () => {
  expect(names("[".repeat(100_000))).toEqual([]);
});
