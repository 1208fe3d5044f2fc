import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { alternativesOf } from "./expression-text.ts";
import { ExpressionChecker, expressionsIn } from "./expressions.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-expressions-"));
afterAll(() => rmSync(directory, { recursive: true }));
const judgements = join(directory, "judgements.json");
const checker = new ExpressionChecker(judgements);

async function found(code: string): Promise<string[]> {
  return (await expressionsIn("a.ts", code, checker)).found;
}

it.each([
  [
    "one that doubles with each digit",
    "/^v\\d+([.-]?(alpha|beta|rc)?\\d*)*$/i.test(x);",
    "exponential",
  ],
  ["one that is tried at each place", "x.replace(/[@:]+\\w+/g, '');", "2nd degree"],
  ["a run before an end", "x.replace(/\\/+$/, '');", "2nd degree"],
  [
    "one that is put together",
    "const a = String.raw`\\s*`; new RegExp(`^${a}\\\\s*$`);",
    "2nd degree",
  ],
  ["one in a sum of texts", "const a = '(b|b)*'; RegExp('^' + a + '$', 'u');", "exponential"],
  ["one that only running tells", "export const f = (a: string) => new RegExp(a);", "not known"],
  ["one with flags that only running tells", "let f = 'g'; new RegExp('a', f);", "not known"],
  [
    "one of a name that is declared twice",
    "{ const a = 'b'; } { const a = x; new RegExp(a); }",
    "not",
  ],
  ["one beside a back-reference", "x.match(/(['\"])[^'\"]*\\1|[@:]+\\w+|[(|)]/g);", "2nd degree"],
  ["an exception without a reason", "// expression-ok\n/\\s+$/.test(x);", "2nd degree"],
])("expressions: %s is found", async (_, code, expected) => {
  expect(await found(code)).toEqual([expect.stringContaining(expected)]);
});

it.each([
  ["a back-reference alone", "x.match(/(['\"])[^'\"]*\\1|[@:]+\\w*|[(|)]/g);"],
  ["one class", "/^[a-z]+$/.test(x);"],
  ["parts that exclude each other", "x.match(/^[a-z]+@[a-z.]+$/g);"],
  ["one that is put together of texts", "const a = '[a-z]'; new RegExp(`^${a}+$`, 'i');"],
  ["a copy, but for its original", "new RegExp(/a+/);"],
  ["an exception with its reason", "// expression-ok -- 20 characters\nif (/\\s+$/.test(x)) y();"],
])("expressions: %s is not", async (_, code) => {
  expect(await found(code)).toEqual([]);
});

it("alternatives of the whole are told from those of groups, classes and escapes", () => {
  expect(alternativesOf("a|(b|c(d|e))|[|(]x|\\|\\(|f|")).toEqual([
    "a",
    "(b|c(d|e))",
    "[|(]x",
    "\\|\\(",
    "f",
    "",
  ]);
});

it("what was judged once is remembered", async () => {
  await checker.wrong({ source: "a(b|b)*c", flags: "" });
  checker.remember();
  expect(JSON.parse(readFileSync(judgements, "utf8"))["/a(b|b)*c/"]).toMatch(/exponential/);
  expect(await new ExpressionChecker(judgements).wrong({ source: "a(b|b)*c", flags: "" })).toMatch(
    /exponential/,
  );
});
