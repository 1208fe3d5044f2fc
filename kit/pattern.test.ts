import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { seeded } from "#test/support/random.ts";
import { compilePattern, inspectPattern, literalStart } from "#kit/pattern.ts";

describe("what every match of a pattern begins with", () => {
  it.each([
    ["//postgresql/.*", "//postgresql/"],
    ["orders", "orders"],
    ["orders?", "order"],
    ["orders*x", "order"],
    ["orders{0,2}", "order"],
    ["orders+", "orders"],
    ["na🐢?x", "na"],
    ["a|b", ""],
    ["(?i)orders", ""],
    ["\\Qa.b\\E", ""],
    ["[ab]c", ""],
    ["", ""],
  ])("of %s is %j", (pattern, start) => {
    expect(literalStart(pattern)).toBe(start);
  });

  it("never keeps out what the pattern matches", () => {
    const random = seeded(7);
    const pieces = [
      "a",
      "b",
      "ab",
      "/",
      "🐢",
      ".",
      "?",
      "*",
      "+",
      "{0,2}",
      "|",
      "(a",
      ")",
      "[ab]",
      "\\.",
    ];
    const some = <T>(from: readonly T[], max: number) =>
      Array.from(
        { length: Math.floor(random() * max) },
        () => from[Math.floor(random() * from.length)]!,
      );
    let matched = 0;
    for (let i = 0; i < 20_000; i++) {
      const pattern = some(pieces, 7).join("");
      if ("problem" in inspectPattern(pattern)) continue;
      const [text, plain] = [
        some(["a", "b", "/", "🐢", "."], 6).join(""),
        RE2JS.compile(pattern, RE2JS.DOTALL),
      ];
      const wanted = plain.matcher(text).matches();
      if (wanted) matched++;
      expect(compilePattern(pattern)(text), `${pattern} on ${text}`).toBe(wanted);
    }
    expect(matched).toBeGreaterThan(500);
  });
});
