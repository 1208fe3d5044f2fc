import { type Cursor, partsByComma } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import { type Token, wordsOf } from "../text/tokens.ts";
import { queryText, startsQuery, type Statement, type Target, targetOf } from "./statement.ts";

/** What is created and holds statements that do not run now. */
const routines = wordsOf("PROCEDURE PROC FUNCTION TRIGGER PACKAGE TASK MACRO EVENT");
/** What is created and holds no data of a query. */
const others = wordsOf(`
  SCHEMA DATABASE INDEX SEQUENCE TYPE ROLE USER EXTENSION STAGE SESSION STREAM PIPE WAREHOUSE
  DOMAIN SYNONYM POLICY DICTIONARY CATALOG SYSTEM STATISTICS SECRET FILE LOGIN RULE PUBLICATION
  SUBSCRIPTION SERVER
`);
const temporaryWords = new Set(["TEMP", "TEMPORARY", "VOLATILE"]);

/** A statement that creates a table or a view, or alters a view. */
export function created(cursor: Cursor, sql: string, dialect: string): Statement {
  const isAlter = cursor.word() === "ALTER";
  const from = cursor.at;
  const what = cursor.find(({ word }, at) =>
    at > from && (word === "TABLE" || word === "VIEW" || routines.has(word) || others.has(word))
  );
  if (what < 0) return isAlter ? { kind: "none" } : { kind: "unread", reason: "statement" };
  const { word } = cursor.tokens[what]!;
  if (others.has(word)) return { kind: "none" };
  if (routines.has(word)) return { kind: "unread", reason: "statement" };
  const temporary = cursor.tokens.slice(from, what).some((one) => temporaryWords.has(one.word));
  cursor.at = what + 1;
  cursor.take("IF", "NOT", "EXISTS") || cursor.take("IF", "EXISTS");
  const name = cursor.name();
  if (!name) return { kind: "unread", reason: "syntax" };
  if (isAlter && word === "TABLE") return altered(cursor, name);
  const into = targetOf(name, {
    creates: true,
    temporary: temporary || name.at(-1)!.startsWith("#"),
  });
  return filled(cursor, into, sql, dialect);
}

/** Only a new name of a table matters. */
function altered(cursor: Cursor, name: string[]): Statement {
  const to = cursor.take("RENAME", "TO") ? cursor.name() : undefined;
  return to ? { kind: "rename", name, to } : { kind: "none" };
}

function filled(cursor: Cursor, into: Target, sql: string, dialect: string): Statement {
  if (cursor.take("ON", "CLUSTER")) cursor.at++;
  // A materialized view of ClickHouse writes into another table, by the names of the query.
  const isForwarded = cursor.take("TO");
  if (isForwarded) Object.assign(into, { name: cursor.name() ?? null, creates: false });
  if (cursor.word() === "(" && !startsQuery(cursor.tokens, cursor.at)) {
    const list = columnsOf(cursor.group()!);
    // Of a list with types these systems take the names of the query.
    const byName = list.typed && (dialect === "clickhouse" || dialect === "mysql");
    if (!isForwarded && !byName) into.columns = list.names;
  }
  const copied = cursor.word();
  if (copied === "CLONE" || (copied === "COPY" && cursor.word(1) !== "GRANTS")) {
    const query = new SourceText().add("SELECT * FROM ").addTokens(sql, cursor.rest(cursor.at + 1));
    return { kind: "write", into, query };
  }
  const at = queryAt(cursor);
  if (at < 0) return into.columns ? { kind: "define", into } : { kind: "none" };
  return { kind: "write", into, query: queryText(cursor.rest(at), sql) };
}

/** Where the query of a definition begins: behind AS, or for some systems without it. */
function queryAt(cursor: Cursor): number {
  const { tokens } = cursor;
  const as = cursor.find(({ word }, at) => word === "AS" && startsQuery(tokens, at + 1));
  if (as >= 0) return as + 1;
  return cursor.find(({ word }, at) =>
    (word === "SELECT" || word === "(") && startsQuery(tokens, at)
  );
}

const constraints = wordsOf(`
  CONSTRAINT PRIMARY UNIQUE INDEX KEY FOREIGN CHECK LIKE PROJECTION PERIOD EXCLUDE
`);
/** What may follow the name of a column that has no type. */
const notTypes = new Set(["COMMENT", "WITH", "TAG", "MASKING", "OPTIONS", "NOT", "PRIMARY"]);

/** The names of a list of columns, and whether types stand next to them. */
function columnsOf(tokens: Token[]): { names: string[]; typed: boolean } {
  const columns = partsByComma(tokens).filter(([first]) => !constraints.has(first!.word));
  return {
    names: columns.map(([first]) => first!.text),
    typed: columns.some((column) => column.length > 1 && !notTypes.has(column[1]!.word)),
  };
}
