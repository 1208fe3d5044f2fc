import { expect, it } from "vitest";
import { expectLinear } from "#test/support/linear.ts";
import { repeatedKey } from "./json-keys.ts";

it.each([
  ['{"a": 1, "b": {"a": 2}, "c": [{"a": 3}, {"a": 4}]}', undefined],
  ['{"a": "a", "b": ["b", "b"], "c": "{\\"a\\": 1, \\"a\\": 2}"}', undefined],
  ['["a", "a"]', undefined],
  ['"text"', undefined],
  ['{"a": 1, "a": 1}', "a"],
  ['{"a" :1,\n"b":2,"a"\t:1}', "a"],
  ['[{"x": {"effect": "ALLOW", "effect": "DENY"}}]', "effect"],
  ['{"a\\u0062": 1, "ab": 2}', "ab"],
  ['{"__proto__": 1, "__proto__": 2}', "__proto__"],
  ['{"\\\\": 1, "\\\\": 2}', "\\"],
])("of %s tells %j", (text, key) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(repeatedKey(text)).toBe(key);
});

it("takes time in proportion to the text", async () => {
  const text = (n: number) => `{${" ".repeat(n)}"a"${" ".repeat(n)}: "${"\\\\".repeat(n)}"}`;
  await expectLinear((n) => repeatedKey(text(n)), 50_000);
});
