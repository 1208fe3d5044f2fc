import { expect, test } from "vitest";
import { withoutUser } from "./exports.ts";

const found = (files: Record<string, string>) =>
  withoutUser(new Map(Object.entries(files))).map(({ file, name }) => `${file} ${name}`);

test("an export that no other file names is found, whatever it declares", () => {
  expect(found({
    "kit/a.ts":
      "export const one = 1;\nexport interface Two {}\nexport async function three() {}\n" +
      "const four = one;\nexport type Five<T> = T;",
    "platform/b.ts": "import { one } from '#kit/a.ts';",
  })).toEqual(["kit/a.ts Two", "kit/a.ts three", "kit/a.ts Five"]);
});

test("tests and tools count as users, and what they export is their own affair", () => {
  expect(found({
    "kit/a.ts": "export const one = 1;\nexport const two = 2;",
    "kit/a.test.ts": "import { one } from './a.ts'; export const mine = one;",
    "tools/b.ts": "import { two } from '#kit/a.ts'; export const also = two;",
    "kit/testing/c.ts": "export const helper = 1;",
  })).toEqual([]);
});

test("part of a longer name is no use", () => {
  expect(found({ "kit/a.ts": "export const one = 1;", "kit/b.ts": "const oneMore = 2;" }))
    .toEqual(["kit/a.ts one"]);
});
