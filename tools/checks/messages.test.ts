import { expect, it } from "vitest";
import { differences } from "./messages.ts";

const compare = (english: Record<string, string>, translated: Record<string, string>) =>
  differences(new Map(Object.entries(english)), new Map(Object.entries(translated)));

it("accepts a translation with the same arguments and tags, in any order", () => {
  expect(compare(
    { a: "{count, plural, one {# table of {owner}} other {# tables of {owner}}}, <b>now</b>" },
    { a: "<b>jetzt</b>: {owner} hat {count, plural, one {# Tabelle} other {# Tabellen}}" },
  )).toEqual([]);
});

it.each([
  [{ a: "Save" }, {}, "a is missing"],
  [{ a: "Save" }, { a: " " }, "a is empty"],
  [{}, { a: "Sichern" }, "a does not exist in English"],
  [{ a: "{n} rows" }, { a: "{m} Zeilen" }, "a has the arguments m instead of n"],
  [{ a: "<b>now</b>" }, { a: "jetzt" }, "a has the tags none instead of b"],
])("names what differs between %j and %j", (english, translated, problem) => {
  expect(compare(english, translated as Record<string, string>)).toEqual([problem]);
});

it("names a message that is not well formed", () => {
  expect(compare({ a: "{n, plural, other {#}}" }, { a: "{n, plural, one {#}" }))
    .toEqual([expect.stringMatching(/^a cannot be read: /)]);
});
