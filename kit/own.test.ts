import { expect, it } from "vitest";
import { own } from "#kit/own.ts";

it("finds what an object has itself, be it undefined or named as a method of all objects", () => {
  expect(own({ a: 1 }, "a")).toBe(1);
  expect(own(JSON.parse('{"__proto__": 2, "constructor": 3}'), "__proto__")).toBe(2);
  expect(own(JSON.parse('{"__proto__": 2, "constructor": 3}'), "constructor")).toBe(3);
});

it.each(["constructor", "__proto__", "toString", "hasOwnProperty", ""])(
  "finds no %j in what has none of its own",
  (name) => {
    expect(own({ a: 1 }, name)).toBeUndefined();
    expect(own(Object.create({ [name]: 1 }), name)).toBeUndefined();
  },
);
