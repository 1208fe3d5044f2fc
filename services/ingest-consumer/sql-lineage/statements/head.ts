import { Cursor } from "../text/cursor.ts";
import { SourceText } from "../text/source.ts";
import { type Token, wordsOf } from "../text/tokens.ts";
import { created } from "./create.ts";
import { fromFirst, inserted } from "./insert.ts";
import { queryText, type Statement, targetOf } from "./statement.ts";
import { updated } from "./update.ts";

/** Statements that bring no values into a table. */
const harmless = wordsOf(`
  SET USE BEGIN START COMMIT ROLLBACK COMMENT ANALYZE GRANT END REVOKE DESCRIBE DESC SHOW PRAGMA
  TRUNCATE DELETE REFRESH VACUUM OPTIMIZE EXPLAIN SAVEPOINT RELEASE LOCK UNLOCK PRINT GO RESET
  MSCK CACHE UNCACHE CLEAR INVALIDATE COMPUTE RAISE RETURN LET UNSET ADD COLLECT KILL SYSTEM
  CHECKPOINT INSTALL LOAD ATTACH DETACH ELSE DENY
`);
const verbs = wordsOf("INSERT SELECT UPDATE DELETE MERGE REPLACE UPSERT FROM");

/** What a statement is, by its first words; `sql` is the text that its tokens come from. */
export function statementOf(tokens: Token[], sql: string, dialect: string): Statement {
  const statement = recognized(tokens, sql, dialect);
  if (dialect === "bigquery" && "into" in statement && statement.into.name) {
    // Within one pair of backticks any name may hold dots.
    statement.into.name = statement.into.name.flatMap((part) => part.split("."));
  }
  return statement;
}

function recognized(tokens: Token[], sql: string, dialect: string): Statement {
  const cursor = new Cursor(tokens);
  if (cursor.word() === "BEGIN" && isBlock(cursor)) {
    return statementOf(tokens.slice(1), sql, dialect);
  }
  const ctes = cursor.word() === "WITH" ? cursor.find(isMainVerb(tokens)) : 0;
  if (ctes < 0) return { kind: "unread", reason: "syntax" };
  cursor.at = ctes;
  const prefix = tokens.slice(0, ctes);
  switch (cursor.word()) {
    case "CREATE":
    case "ALTER":
      return created(cursor, sql, dialect);
    case "INSERT":
    case "UPSERT":
    case "REPLACE":
      return inserted(cursor, prefix, sql, dialect);
    case "UPDATE":
      return updated(cursor, prefix, sql);
    case "MERGE":
      return { kind: "merge", text: mergeText(tokens, sql) };
    case "DECLARE":
      return { kind: "declare", variables: declared(cursor) };
    case "DROP":
      return dropped(cursor);
    case "FROM": {
      const multiple = fromFirst(cursor, prefix, sql, dialect);
      return multiple ?? alone(tokens, sql);
    }
    case "SELECT":
    case "SEL":
    case "VALUES":
    case "TABLE":
    case "(":
      return alone(tokens, sql);
    default:
      return harmless.has(cursor.word())
        ? { kind: "none" }
        : { kind: "unread", reason: isWord(cursor) ? "statement" : "syntax" };
  }
}

const alone = (tokens: Token[], sql: string): Statement => ({
  kind: "write",
  into: targetOf(null),
  query: queryText(tokens, sql),
});

const isWord = (cursor: Cursor) => /^[A-Z]+$/.test(cursor.word());

/** Whether a word begins what follows the common table expressions of a statement. */
const isMainVerb = (tokens: Token[]) => ({ word }: Token, at: number) => {
  if (!verbs.has(word)) return word === "(" && tokens[at - 1]?.word === ")" && at > 1;
  return tokens[at - 1]?.word !== "WITH" && tokens[at + 1]?.word !== "AS";
};

/** `BEGIN` of a block of statements, rather than of a transaction. */
function isBlock(cursor: Cursor): boolean {
  const next = cursor.word(1);
  return next !== "" && !["TRAN", "TRANSACTION", "WORK", "ISOLATION", "DEFERRED"].includes(next);
}

/** Snowflake's `ALL BY NAME` is the star of others. */
function mergeText(tokens: Token[], sql: string): SourceText {
  const text = new SourceText();
  let from = 0;
  tokens.forEach(({ word }, at) => {
    const isAll = word === "ALL" && tokens[at + 1]?.word === "BY" &&
      tokens[at + 2]?.word === "NAME";
    if (!isAll) return;
    const isUpdate = tokens[at - 1]?.word === "UPDATE";
    text.addTokens(sql, tokens.slice(from, at)).add(isUpdate ? "SET * " : "* ");
    from = at + 3;
  });
  return text.addTokens(sql, tokens.slice(from));
}

function declared(cursor: Cursor): string[] {
  cursor.at++;
  const names: string[] = [];
  while (cursor.token?.kind === "word") {
    names.push(cursor.token.text.toLowerCase());
    cursor.at++;
    if (!cursor.take(",")) break;
  }
  return names;
}

function dropped(cursor: Cursor): Statement {
  cursor.at++;
  while (["TABLE", "VIEW", "TEMPORARY", "TEMP", "MATERIALIZED"].includes(cursor.word())) {
    cursor.at++;
  }
  cursor.take("IF", "EXISTS");
  const name = cursor.name();
  return name ? { kind: "drop", name } : { kind: "none" };
}
