import { expect, it } from "vitest";
import { givenName, givenText, StorableText } from "#contract/text.ts";

const outcomeOf = (schema: typeof StorableText | ReturnType<typeof givenText>, text: string) => {
  const { success, data, error } = schema.safeParse(text);
  return success ? data : error.issues.map((issue) => issue.message);
};

it.each([
  ["a\0b", ["must not hold the character NUL"]],
  ["\ud800", ["must not hold half a surrogate pair"]],
  ["a\udc00", ["must not hold half a surrogate pair"]],
  ["\ud83d\ude00 \u0001\uffff ", "\ud83d\ude00 \u0001\uffff "],
  ["", ""],
])("stored is %j", (text, expected) => expect(outcomeOf(StorableText, text)).toEqual(expected));

it.each([
  ["  ab ", "ab"],
  [" \t\n", ["must not be empty"]],
  ["   abc    ", "abc"],
  ["abcd", ["must be at most 3 long"]],
  ["\0", ["must not hold the character NUL"]],
])("given is %j", (text, expected) => {
  expect(outcomeOf(givenText({ min: 1, max: 3 }), text)).toEqual(expected);
});

it.each([
  ["of two lines", "a\nb"],
  ["with a tab", "a\tb"],
  ["that is turned", "a\u202eb"],
  ["with an end of an isolate", "a\u2069b"],
  ["with a zero width space", "a\u200bb"],
  ["with a tag character", "a\u{e0041}b"],
  ["with a line separator", "a\u2028b"],
])("a name %s is refused", (_, name) => {
  expect(outcomeOf(givenName({ max: 9 }), name)).toEqual([
    "must not hold line ends or characters that are not seen",
  ]);
});

it.each(["Größe 1", "می\u200cخواهم", "👩\u200d💻", "❤\ufe0f"])("%j is a name", (name) => {
  expect(outcomeOf(givenName({ max: 9 }), ` ${name} `)).toBe(name);
});
