import { expect, test } from "vitest";
import { linkTerms, namesOfTerm, withoutMentions } from "#web/components/term-names.ts";

test("a mention becomes a link to what has these names", () => {
  expect(linkTerms("One [[Shop:Order]] a row")).toBe(
    "One [Order](./terms?name=Shop%3AOrder) a row",
  );
  expect(linkTerms("[[ shop : net amount ]]")).toBe(
    "[net amount](./terms?name=shop%3Anet%20amount)",
  );
});

test("code, and what is no mention, stays as it was written", () => {
  for (
    const text of ["`[[Shop:Order]]`", "```\n[[Shop:Order]]\n```", "[[Order]]", "[a:b]", "[[:]]"]
  ) {
    expect(linkTerms(text)).toBe(text);
  }
});

test("names of signs are no markup, and do not end the address", () => {
  expect(linkTerms("[[n:*a*(b)<c>]]"))
    .toBe("[\\*a\\*\\(b\\)\\<c\\>](./terms?name=n%3A%2aa%2a%28b%29%3Cc%3E)");
});

test("many backticks and brackets take no long", () => {
  const started = performance.now();
  linkTerms("`".repeat(20_001) + "[[a".repeat(20_000) + "[[Shop:Order]]".repeat(1_000));
  expect(performance.now() - started).toBeLessThan(500);
});

test("the namespace ends at the first colon", () => {
  expect(namesOfTerm("Shop: Order: paid")).toEqual({ namespace: "Shop", name: "Order: paid" });
  for (const text of ["", "Shop", "Shop:", ":Order", " : "]) {
    expect(namesOfTerm(text)).toBeUndefined();
  }
});

test("without links a mention is the name of its term", () => {
  expect(withoutMentions("One [[Shop: Order ]], no [[x]]")).toBe("One Order, no [[x]]");
});
