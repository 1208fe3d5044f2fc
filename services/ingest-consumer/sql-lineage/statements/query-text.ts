import { Cursor } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import type { Token } from "../text/tokens.ts";

const queryStarts = new Set(["SELECT", "SEL", "WITH", "VALUES", "FROM", "TABLE"]);

/** Whether a query begins at a token; parentheses may stand before it. */
export function startsQuery(tokens: readonly Token[], at: number): boolean {
  let i = at;
  while (tokens[i]?.word === "(") i++;
  if (!queryStarts.has(tokens[i]?.word ?? "")) return false;
  // A hint of T-SQL: `WITH (TABLOCK)`.
  return tokens[i]!.word !== "WITH" || tokens[i + 1]?.word !== "(";
}

/** Pairs of words that begin what stands behind a query and has no say in its columns. */
const tails = new Set([
  ...["WITH CHECK", "WITH READ", "WITH DATA", "WITH NO", "WITH LOCAL", "WITH CASCADED", "WITH UR"],
  ...["ON CONFLICT", "ON DUPLICATE", "LOCK IN", "ON COMMIT", "WITH STATISTICS"],
]);
const tailWords = new Set(["RETURNING", "SETTINGS"]);

/** A query, after these common table expressions, without what may follow it. */
export function queryText(
  tokens: readonly Token[],
  sql: string,
  ctes: readonly Token[] = [],
): SourceText {
  const end = new Cursor(tokens).find((token, at) =>
    at > 0 &&
    (tails.has(`${token.word} ${tokens[at + 1]?.word ?? ""}`) || tailWords.has(token.word))
  );
  const query = end < 0 ? tokens : tokens.slice(0, end);
  return new SourceText().addTokens(sql, withoutStreams(ctes)).addTokens(
    sql,
    withoutStreams(query),
  );
}

/** Reads `STREAM(t)` of Databricks, and `ROWS FROM (f())`, as what stands in the parentheses. */
function withoutStreams(tokens: readonly Token[]): Token[] {
  const left = new Set<Token>();
  tokens.forEach((token, at) => {
    const before = tokens[at - 1]?.word ?? "";
    const isStream = token.word === "STREAM" && ["FROM", "JOIN", ","].includes(before);
    if (!isStream || tokens[at + 1]?.word === "AS") return;
    left.add(token);
    const open = tokens[at + 1];
    if (open?.word !== "(") return;
    const close = tokens.findIndex((one, i) =>
      i > at && one.word === ")" && one.depth === open.depth
    );
    left.add(open);
    if (close > 0) left.add(tokens[close]!);
  });
  return tokens.filter((token) => !left.has(token));
}
