/** A piece of SQL that is neither a comment nor a blank. */
export interface Token {
  kind: "word" | "quoted" | "string" | "mark";
  /** As it is written; of a quoted name without its quotes. */
  text: string;
  /** Upper case of a word and of a mark; empty for quoted names and strings, which are no keywords. */
  word: string;
  start: number;
  end: number;
  /** Parentheses around it. */
  depth: number;
}

/** Words that blanks divide. */
export const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const backslashes = wordsOf(`
  mysql bigquery spark databricks hive snowflake clickhouse singlestore starrocks doris tidb drill
`);
const doubleQuotedStrings = wordsOf("mysql bigquery spark databricks hive singlestore tidb doris");
const hashComments = new Set(["mysql", "bigquery", "tidb", "singlestore", "doris", "starrocks"]);

const blankPattern = /\s+/uy;
const wordPattern = /[\p{L}\p{N}_@#$]+/uy;
const dollarQuote = /\$\w*\$/y;
const conditionalComment = /\/\*!\d*|\*\//y;

/** The tokens of SQL, without comments. What is not closed ends with the text. */
export function tokensOf(sql: string, dialect: string): Token[] {
  return [...new Lexer(sql, dialect).tokens()];
}

class Lexer {
  #at = 0;
  #depth = 0;

  constructor(private readonly sql: string, private readonly dialect: string) {}

  *tokens(): Generator<Token> {
    while (this.#at < this.sql.length) {
      if (this.#skip()) continue;
      yield this.#next();
    }
  }

  #matches(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    return expression.exec(this.sql)?.[0];
  }

  #skip(): boolean {
    const { sql, dialect } = this;
    const from = this.#at;
    const two = sql.slice(from, from + 2);
    const space = this.#matches(blankPattern);
    if (space !== undefined) this.#at += space.length;
    else if (
      two === "--" || (two === "//" && dialect === "snowflake") ||
      (two[0] === "#" && hashComments.has(dialect))
    ) this.#at = after(sql, "\n", from);
    else if (dialect === "mysql" && this.#matches(conditionalComment)) {
      // The text of a conditional comment is executed.
      this.#at += this.#matches(conditionalComment)!.length;
    } else if (two === "/*") this.#at = this.#commentEnd(from);
    return this.#at > from;
  }

  #commentEnd(from: number): number {
    if (!["postgresql", "redshift", "tsql", "clickhouse", "duckdb"].includes(this.dialect)) {
      return after(this.sql, "*/", from + 2);
    }
    let at = from + 2;
    for (let open = 1; open > 0 && at < this.sql.length; at++) {
      const two = this.sql.slice(at, at + 2);
      if (two === "/*" || two === "*/") {
        open += two === "/*" ? 1 : -1;
        at++;
      }
    }
    return at;
  }

  #next(): Token {
    const { sql, dialect } = this;
    const start = this.#at;
    const one = sql[start]!;
    const string = this.#stringEnd(start);
    if (string !== undefined) return this.#token("string", start, string);
    if (one === "`" || one === '"' || (one === "[" && dialect === "tsql")) {
      return this.#token("quoted", start, quoteEnd(sql, start, one === "[" ? "]" : one, false));
    }
    const name = this.#matches(wordPattern);
    if (name !== undefined) return this.#token("word", start, start + name.length);
    if (one === ")") this.#depth = Math.max(0, this.#depth - 1);
    const token = this.#token("mark", start, start + (sql.codePointAt(start)! > 0xffff ? 2 : 1));
    if (one === "(") this.#depth++;
    return token;
  }

  #stringEnd(start: number): number | undefined {
    const { sql, dialect } = this;
    const dollar = this.#matches(dollarQuote);
    if (dollar !== undefined) return after(sql, dollar, start + dollar.length);
    const triple = sql.slice(start, start + 3);
    if (dialect === "bigquery" && (triple === "'''" || triple === '"""')) {
      return after(sql, triple, start + 3);
    }
    const one = sql[start]!;
    const escapes = backslashes.has(dialect) || /[eE]/.test(sql[start - 1] ?? "");
    if (one === "'" || (one === '"' && doubleQuotedStrings.has(dialect))) {
      return quoteEnd(sql, start, one, escapes);
    }
    return undefined;
  }

  #token(kind: Token["kind"], start: number, end: number): Token {
    this.#at = end;
    const whole = this.sql.slice(start, end);
    const text = kind === "quoted" ? unquoted(whole) : whole;
    const upper = kind === "word" || kind === "mark" ? whole.toUpperCase() : "";
    return { kind, text, word: upper, start, end, depth: this.#depth };
  }
}

function after(sql: string, end: string, from: number): number {
  const found = sql.indexOf(end, from);
  return found < 0 ? sql.length : found + end.length;
}

/** A doubled quote stands for one within. */
function quoteEnd(sql: string, start: number, quote: string, escapes: boolean): number {
  for (let at = start + 1; at < sql.length; at++) {
    if (escapes && sql[at] === "\\") at++;
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1;
      at++;
    }
  }
  return sql.length;
}

function unquoted(text: string): string {
  const end = text[0] === "[" ? "]" : text[0]!;
  return text.slice(1, text.endsWith(end) ? -1 : undefined).replaceAll(end + end, end);
}

/** Words that begin a statement of T-SQL on a line of its own, where no semicolon ends the one before. */
const beginners = wordsOf(`
  INSERT CREATE DECLARE EXEC EXECUTE DROP TRUNCATE PRINT MERGE GO UPDATE DELETE USE IF BEGIN END
`);
/** After these the words above go on with a statement. */
const goesOn = wordsOf("THEN AS OR ON FOR ELSE NOT EXISTS AFTER , (");
const mainVerbs = new Set(["INSERT", "SELECT", "UPDATE", "DELETE", "MERGE"]);

/** The statements of a text, each as its tokens, without semicolons. */
export function statementsOf(tokens: Token[], sql: string, dialect: string): Token[][] {
  const statements: Token[][] = [[]];
  const end = () => {
    if (statements.at(-1)!.length > 0) statements.push([]);
  };
  for (const token of tokens) {
    const current = statements.at(-1)!;
    if (token.word === ";" && token.depth === 0) end();
    else {
      if (dialect === "tsql" && beginsStatement(token, current, sql)) end();
      statements.at(-1)!.push(token);
    }
  }
  return statements.filter((one) => one.length > 0);
}

function beginsStatement(token: Token, current: Token[], sql: string): boolean {
  const last = current.at(-1);
  if (!last || token.depth > 0 || !beginners.has(token.word) || goesOn.has(last.word)) return false;
  if (!sql.slice(last.end, token.start).includes("\n")) return false;
  if (token.word === "END" && hasOpenCase(current)) return false;
  const isPrefix = current[0]!.word === "WITH" &&
    !current.some(({ word, depth }) => depth === 0 && mainVerbs.has(word));
  return !isPrefix;
}

/** Whether a CASE outside of parentheses has not ended. */
function hasOpenCase(tokens: Token[]): boolean {
  let open = 0;
  for (const { word, depth } of tokens) {
    if (depth > 0) continue;
    if (word === "CASE") open++;
    if (word === "END") open--;
  }
  return open > 0;
}
