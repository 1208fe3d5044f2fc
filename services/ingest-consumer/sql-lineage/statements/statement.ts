import { Cursor, type NameParts } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import type { Token } from "../text/tokens.ts";

/** What a query fills. */
export interface Target {
  /** Null where the query stands alone. */
  name: NameParts | null;
  /** The columns that it fills, in order; null when none are named. */
  columns: string[] | null;
  /** How the columns of the query meet those of the target, where `columns` does not tell. */
  by: "position" | "name";
  /** The statement makes the target, with the names of the query. */
  creates: boolean;
  temporary: boolean;
  /** `INSERT … (* EXCEPT (…))` of ClickHouse. */
  without: string[];
  /** The query reads the target as it was before, as an UPDATE does. */
  seesItself: boolean;
  /** Columns of a PARTITION clause; of those with a value the query has none. */
  partition: { name: string; fixed: boolean }[];
}

/** What a statement does with data, as far as it is understood. */
export type Statement =
  | { kind: "write"; into: Target; query: SourceText }
  /** It is read by the parser as a whole. */
  | { kind: "merge" | "insert_all"; text: SourceText }
  | { kind: "define"; into: Target }
  | { kind: "drop"; name: NameParts }
  | { kind: "rename"; name: NameParts; to: NameParts }
  | { kind: "declare"; variables: string[] }
  /** It moves no data. */
  | { kind: "none" }
  /** It may move data, and is not understood. `name`: what it may make or fill. */
  | { kind: "unread"; reason: "syntax" | "statement"; name?: NameParts };

/** A target whose columns are those of a query. */
export const targetOf = (name: NameParts | null, more: Partial<Target> = {}): Target => ({
  name,
  columns: null,
  by: "name",
  creates: false,
  temporary: false,
  without: [],
  seesItself: false,
  partition: [],
  ...more,
});

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
