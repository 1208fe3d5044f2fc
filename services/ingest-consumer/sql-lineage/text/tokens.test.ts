import { expect, it } from "vitest";
import { statementsOf, tokensOf } from "./tokens.ts";
import { lineAndColumn, SourceText } from "./source.ts";

const words = (sql: string, dialect = "postgresql") =>
  tokensOf(sql, dialect).map(({ text }) => text);

it.each([
  ["postgresql", "a -- b\n c", ["a", "c"]],
  ["postgresql", "a /* x /* y */ z */ b", ["a", "b"]],
  ["mysql", "a # b\n /*!50001 c */ d", ["a", "c", "d"]],
  ["snowflake", "a // b\n c", ["a", "c"]],
  ["postgresql", "'a -- b' c", ["'a -- b'", "c"]],
  ["postgresql", "$x$ ; $x$ a", ["$x$ ; $x$", "a"]],
  ["mysql", String.raw`'it\'s; x' a`, [String.raw`'it\'s; x'`, "a"]],
  ["postgresql", '"a ""b""" c', ['a "b"', "c"]],
  ["tsql", "[a; b] c", ["a; b", "c"]],
  ["bigquery", '"a;b" c', ['"a;b"', "c"]],
  ["postgresql", "'never closed", ["'never closed"]],
])("of %s: %s", (dialect, sql, wanted) => expect(words(sql, dialect)).toEqual(wanted));

it.each([
  ["postgresql", "a; b;; c", 3],
  ["postgresql", "a (;) b", 1],
  ["tsql", "SELECT 1\nINSERT INTO t SELECT 2\nEXEC p", 3],
  ["tsql", "MERGE t USING s ON 1 = 1 WHEN MATCHED THEN\nUPDATE SET a = 1", 1],
  ["tsql", "WITH c AS (SELECT 1 AS a)\nINSERT INTO t SELECT a FROM c", 1],
])("statements of %s: %s", (dialect, sql, count) => {
  expect(statementsOf(tokensOf(sql, dialect), sql, dialect)).toHaveLength(count);
});

it("keeps places of the original", () => {
  const sql = "a /* b */ c\n  d";
  const tokens = tokensOf(sql, "postgresql");
  const text = new SourceText().add("SELECT ").addTokens(sql, tokens.slice(1));
  expect(text.text.trimEnd()).toBe("SELECT c\n  d".replace("\n", " "));
  const at = text.originalOf(text.text.indexOf("d"));
  expect(lineAndColumn(sql, at)).toEqual({ line: 2, column: 3 });
});
