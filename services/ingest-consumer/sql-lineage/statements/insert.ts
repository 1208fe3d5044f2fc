import { Cursor, partsByComma } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import { type Token, wordsOf } from "../text/tokens.ts";
import { queryText, startsQuery, type Statement, type Target, targetOf } from "./statement.ts";

const modifiers = new Set([
  ...["INSERT", "UPSERT", "REPLACE", "INTO", "OVERWRITE", "TABLE", "OR", "IGNORE", "LOW_PRIORITY"],
  ...["HIGH_PRIORITY", "DELAYED", "ABORT", "FAIL", "ROLLBACK"],
]);

/** `INSERT … SELECT`, and what is like it. */
export function inserted(cursor: Cursor, ctes: Token[], sql: string, dialect: string): Statement {
  if (cursor.word() === "INSERT" && ["ALL", "FIRST"].includes(cursor.word(1))) {
    return { kind: "insert_all", text: new SourceText().addTokens(sql, cursor.tokens) };
  }
  const overwrites = cursor.word(1) === "OVERWRITE";
  while (modifiers.has(cursor.word()) || (overwrites && cursor.word() === "ALL")) cursor.at++;
  if (cursor.word() === "DIRECTORY" || cursor.take("LOCAL", "DIRECTORY")) return { kind: "none" };
  if (cursor.word() === "FUNCTION") return { kind: "none" };
  const name = cursor.name();
  if (!name) return { kind: "unread", reason: "syntax" };
  const into = targetOf(name, { by: "position", temporary: false });
  readTarget(cursor, into, dialect);
  const at = cursor.find((_, i) => startsQuery(cursor.tokens, i));
  if (at < 0) {
    const constant = cursor.find(({ word }) => ["SET", "DEFAULT", "FORMAT"].includes(word)) >= 0;
    return constant ? { kind: "none" } : { kind: "unread", reason: "syntax", name };
  }
  return { kind: "write", into, query: queryText(cursor.rest(at), sql, ctes) };
}

/** What stands between the name of a table and the query. */
function readTarget(cursor: Cursor, into: Target, dialect: string): void {
  for (;;) {
    if (startsQuery(cursor.tokens, cursor.at)) return;
    if (cursor.take("PARTITION")) into.partition = partitionOf(cursor.group() ?? []);
    else if (cursor.take("BY", "NAME")) into.by = "name";
    else if (cursor.word() === "(") setColumns(into, cursor.group()!, dialect);
    else if (cursor.word() === "WITH" && cursor.word(1) === "(") {
      cursor.at++;
      cursor.group();
    } else if (cursor.take("AS")) cursor.at++;
    else if (cursor.token && !["SET", "DEFAULT", "FORMAT"].includes(cursor.word())) cursor.at++;
    else return;
  }
}

function setColumns(into: Target, list: Token[], dialect: string): void {
  if (into.columns) return;
  if (list[0]?.word === "*") {
    const names = new Cursor(list);
    names.at = 2;
    into.without = partsByComma(names.group() ?? []).map(([first]) => first!.text);
    return;
  }
  const columns = partsByComma(list).map((column) => new Cursor(column).name() ?? []);
  if (columns.some((parts) => parts.length === 0)) return;
  // A name may have its table before it; where there are structs, it is a field.
  into.columns = columns.map((parts) => dialect === "bigquery" ? parts[0]! : parts.at(-1)!);
}

function partitionOf(tokens: Token[]): Target["partition"] {
  return partsByComma(tokens).map((column) => ({
    name: column[0]!.text,
    fixed: column.some(({ word }) => word === "="),
  }));
}

/** What ends the list of a SELECT. */
const clauses = wordsOf(`
  WHERE GROUP HAVING CLUSTER DISTRIBUTE SORT ORDER LIMIT LATERAL WINDOW QUALIFY UNION
`);

/** Hive's `FROM s INSERT … SELECT …`; undefined when no INSERT follows. */
export function fromFirst(
  cursor: Cursor,
  ctes: Token[],
  sql: string,
  dialect: string,
): Statement | undefined {
  const { tokens } = cursor;
  const inserts = [cursor.find(({ word }) => word === "INSERT")];
  if (inserts[0]! < 0) return undefined;
  // Only the first of several is read here; `statementsOfHive` divides them before.
  const head = new Cursor(tokens.slice(inserts[0]));
  const statement = inserted(head, ctes, sql, dialect);
  if (statement.kind !== "write") return statement;
  const select = head.find(({ word }) => word === "SELECT");
  if (select < 0) return { kind: "unread", reason: "syntax" };
  const end = head.find(({ word }) => clauses.has(word), select);
  const list = head.tokens.slice(select, end < 0 ? undefined : end);
  const rest = end < 0 ? [] : head.tokens.slice(end);
  const query = new SourceText().addTokens(sql, ctes).addTokens(sql, list)
    .addTokens(sql, tokens.slice(ctes.length, inserts[0])).addTokens(sql, rest);
  return { kind: "write", into: statement.into, query };
}

/** The statements that `FROM s INSERT … INSERT …` stands for, each with the tokens of its FROM. */
export function dividedByInsert(tokens: Token[]): Token[][] {
  if (tokens[0]?.word !== "FROM") return [tokens];
  const cursor = new Cursor(tokens);
  const starts: number[] = [];
  for (let at = cursor.find(({ word }) => word === "INSERT"); at >= 0;) {
    starts.push(at);
    at = cursor.find(({ word }, i) => word === "INSERT" && i > at, at + 1);
  }
  if (starts.length < 2) return [tokens];
  const from = tokens.slice(0, starts[0]);
  return starts.map((start, i) => [...from, ...tokens.slice(start, starts[i + 1])]);
}
