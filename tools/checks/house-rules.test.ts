import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { capture, root } from "./check.ts";

const directory = mkdtempSync(join(tmpdir(), "tributary-lint-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Codes that the house rules report for a file with this name and text. */
async function lint(name: string, text: string): Promise<string[]> {
  const config = join(directory, "deno.json");
  const plugins = [join(root, "tools", "checks", "house-rules.ts")];
  writeFileSync(config, JSON.stringify({ lint: { plugins, rules: { tags: [] } } }));
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
  const args = ["lint", "--json", "--config", config, join(directory, name)];
  const { stdout } = await capture(process.execPath, args);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  return diagnostics.map((diagnostic) => diagnostic.code);
}

const lines = (count: number) => "  work();\n".repeat(count);

it.each([
  ["a file of 401 lines", "a.ts", "work();\n".repeat(401), "house/file-length"],
  ["a function of 61 lines", "a.ts", `function f() {\n${lines(59)}}\n`, "house/function-length"],
  [
    "an arrow function of 61 lines",
    "a.ts",
    `const f = () => {\n${lines(59)}};\n`,
    "house/function-length",
  ],
  [
    "a test of 61 lines",
    "a.test.ts",
    `it("x", () => {\n${lines(59)}});\n`,
    "house/function-length",
  ],
  ["the runtime in an ordinary file", "a.ts", "Deno.exit(1);\n", "house/runtime-api"],
  ["a skipped test", "a.test.ts", 'it.skip("x", () => {});\n', "house/no-skipped-test"],
  [
    "an only after each",
    "a.test.ts",
    'describe.each([1]).only("x", () => {});\n',
    "house/no-skipped-test",
  ],
  [
    "an exception without a reason",
    "a.ts",
    "// deno-lint-ignore no-explicit-any\nwork();\n",
    "house/ignore-reason",
  ],
  [
    "text between tags",
    "web/kit/a.tsx",
    "export const A = () => <p>No rows</p>;\n",
    "house/interface-text",
  ],
  [
    "an attribute that people read",
    "web/features/a/a.tsx",
    'export const A = () => <Dialog title="Delivery" />;\n',
    "house/interface-text",
  ],
  [
    "one of two words in an attribute that people read",
    "web/features/a/a.tsx",
    'export const A = ({ b }: { b: boolean }) => <Dialog title={b ? t("a.b") : "Delivery"} />;\n',
    "house/interface-text",
  ],
  [
    "a sentence in a constant",
    "web/app/a.ts",
    'export const a = { unknown: "This page does not exist" };\n',
    "house/interface-text",
  ],
  [
    "a sentence around a value",
    "web/graph/a.ts",
    "export const a = (n: number) => `and ${n} more columns`;\n",
    "house/interface-text",
  ],
])("house rules: %s is reported", async (_, name, text, code) => {
  expect(await lint(name, text)).toEqual([code]);
});

it.each([
  [
    "a key of a message",
    "web/kit/a.tsx",
    'export const A = () => <p title={t("a.b")}>{t("a.c")}</p>;\n',
  ],
  ["class names", "web/kit/a.tsx", 'export const A = () => <p className="soft truncate" />;\n'],
  ["code", "web/kit/a.tsx", "export const A = () => <code>npm start</code>;\n"],
  ["an error for developers", "web/kit/a.ts", 'throw new Error("This cannot happen");\n'],
  ["text outside of the interface", "tools/a.ts", 'export const a = "This page does not exist";\n'],
  ["a file of 400 lines", "a.ts", "work();\n".repeat(400)],
  ["a function of 60 lines", "a.ts", `function f() {\n${lines(58)}}\n`],
  ["a long describe", "a.test.ts", `describe("x", () => {\n${lines(100)}});\n`],
  ["a long describe of an interface", "a.test.tsx", `describe("x", () => {\n${lines(100)}});\n`],
  ["the runtime in a runtime.ts", "runtime.ts", "Deno.exit(1);\n"],
  ["a type of the runtime", "a.ts", "const kind: Deno.Addr | null = null;\nwork(kind);\n"],
  ["methods that are no test's", "a.test.ts", "it.each([1])('x', () => {});\nlist.only.skip();\n"],
  [
    "an exception with its reason",
    "a.ts",
    "// deno-lint-ignore no-explicit-any -- a list of all shapes\nwork();\n",
  ],
])("house rules: %s is not", async (_, name, text) => {
  expect(await lint(name, text)).toEqual([]);
});
