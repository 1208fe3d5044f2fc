import fc from "fast-check";
import { expect, it } from "vitest";
import { nameLike } from "#services/api/mcp/tools/lineage.ts";
import { cpuMs } from "#test/support/linear.ts";

it.each([
  ["order", "sales_orders", true],
  ["ORDER", "orders", true],
  ["order*", "orders", true],
  ["order*", "my_orders", false],
  ["*_v?", "orders_v2", true],
  ["*_v?", "orders_v22", false],
  ["?", "é", true],
  ["a.c", "abc", false],
  ["*a*b*", "xxaxxbxx", true],
  ["*", "", true],
])("%s is like %s: %s", (pattern, name, like) => {
  expect(nameLike(pattern)(name)).toBe(like);
});

it("agrees with an expression of the same meaning", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 10 });
  const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(text.filter((one) => /[*?]/.test(one)), name, (pattern, given) => {
      const expression = pattern.replaceAll("*", ".*").replaceAll("?", ".");
      expect(nameLike(pattern)(given)).toBe(new RegExp(`^${expression}$`).test(given));
    }),
    { numRuns: 300 },
  );
});

it("a pattern of many wildcards costs no more than their lengths multiplied", () => {
  const taken = cpuMs(() => {
    const like = nameLike("*a?".repeat(33));
    for (let n = 0; n < 200; n++) expect(like("a".repeat(199) + "b")).toBe(true);
    expect(nameLike("*a".repeat(50) + "c")("a".repeat(200))).toBe(false);
  });
  expect(taken).toBeLessThan(5_000);
});
