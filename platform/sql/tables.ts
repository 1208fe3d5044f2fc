export interface TableUse {
  table: string;
  access: "read" | "write";
  /** The name as written, with quotes. */
  raw: string;
  /** The statement, or part of one, that uses it, such as INSERT; empty where none was begun. */
  verb: string;
}

/** What is known at one depth of parentheses. */
interface Frame {
  /** The parenthesis follows a name: arguments or columns, in which FROM names no table. */
  arguments: boolean;
  verb: string;
  /** The next name is a table, used like this. */
  expect: TableUse["access"] | null;
  /** So is one after a comma. */
  list: TableUse["access"] | null;
  /** The next name is that of a common table expression. */
  cte: boolean;
  inWith: boolean;
}

/** Words after which what was expected is still expected. */
const passed = new Set(
  "ONLY LATERAL TABLE IF NOT EXISTS INTO IGNORE LOW_PRIORITY DELAYED HIGH_PRIORITY OR OVERWRITE RECURSIVE"
    .split(" "),
);
/** Words that end a list of tables. */
const ends = new Set(
  ("WHERE SET VALUES GROUP ORDER HAVING LIMIT OFFSET FETCH UNION EXCEPT INTERSECT WINDOW RETURNING FOR " +
    "QUALIFY DEFAULT OUTFILE DUMPFILE").split(" "),
);
/** Before UPDATE, DELETE and INSERT these mean that no statement begins: `FOR UPDATE`, `ON DELETE`. */
const noStatement = new Set(["FOR", "ON", "DO", "KEY", "THEN", "BEFORE", "AFTER"]);
const definitions = new Set(["CREATE", "ALTER", "DROP"]);
/** Tables that every database has, or none. */
const ofTheServer = /^(pg_catalog|information_schema|sys|performance_schema)\.|^(dual|sysdummy1)$/i;

/**
 * The tables of a statement (or several), each once for each kind of access. Names of common table
 * expressions, functions and the server's own tables are excluded. It understands what the dialects have
 * in common and never throws; what it does not understand names no table, nor what follows after `max`
 * characters.
 */
export function tablesOf(
  statement: string,
  max: number,
  notation: Notation = "any",
): TableUse[] {
  return new Reader(tokensOf(statement, max, notation)).read();
}

class Reader {
  readonly #uses = new Map<string, TableUse>();
  readonly #ctes = new Set<string>();
  #stack: Frame[] = [];
  #frame = newFrame(false, null);
  #at = 0;
  #directionAt = -1;

  constructor(private readonly tokens: Token[]) {}

  read(): TableUse[] {
    for (; this.#at < this.tokens.length; this.#at++) {
      const token = this.tokens[this.#at]!;
      if (!token.name) this.#symbol(token.text);
      else if (token.word === "" || !this.#keyword(token.word)) this.#name(token);
    }
    return [...this.#uses.values()].filter(({ table }) => !this.#ctes.has(table.toLowerCase()));
  }

  #previous(): Token | undefined {
    return this.tokens[this.#at - 1];
  }

  #symbol(symbol: string): void {
    if (symbol === "(") this.#open();
    else if (symbol === ")") this.#frame = this.#stack.pop() ?? this.#frame;
    else if (symbol === ";") {
      this.#stack = [];
      this.#frame = newFrame(false, null);
    } else if (this.#frame.inWith) this.#frame.cte = true;
    else this.#frame.expect = this.#frame.list;
  }

  #open(): void {
    const before = this.#previous();
    const call = before !== undefined && before.name && !isClause(before.word);
    const usingColumns = before?.word === "USING";
    if (this.#stack.length < 100) this.#stack.push(this.#frame);
    const expect = call || usingColumns ? null : this.#frame.expect;
    this.#frame.expect = null;
    this.#frame = newFrame(call, expect);
  }

  #name(token: Token): void {
    const frame = this.#frame;
    if (frame.cte) {
      this.#ctes.add(token.text.toLowerCase());
      frame.cte = false;
    } else if (frame.verb === "COPY" && this.#previous()?.word === "COPY") {
      this.#use(token, this.#direction() === "FROM" ? "write" : "read");
    } else if (frame.expect !== null) {
      const isFunction = frame.expect === "read" && this.tokens[this.#at + 1]?.text === "(";
      if (!isFunction) this.#use(token, frame.expect);
      frame.expect = null;
    }
  }

  /** The next FROM or TO; found once for all names before it. */
  #direction(): string | undefined {
    if (this.#directionAt < this.#at) {
      const { tokens } = this;
      let at = this.#at;
      while (at < tokens.length && tokens[at]!.word !== "FROM" && tokens[at]!.word !== "TO") at++;
      this.#directionAt = at;
    }
    return this.tokens[this.#directionAt]?.word;
  }

  #use({ text: table, raw }: Token, access: TableUse["access"]): void {
    if (ofTheServer.test(table)) return;
    this.#uses.set(`${access} ${table}`, { table, access, raw, verb: this.#frame.verb });
  }

  /** True when the word was understood as a keyword. */
  #keyword(word: string): boolean {
    const frame = this.#frame;
    if (frame.expect !== null && passed.has(word)) return true;
    if (ends.has(word)) frame.expect = frame.list = null;
    else if (word === "ON" || word === "AS") frame.expect = null;
    else if (word === "SELECT") this.#begin("SELECT", null);
    else if (word === "WITH") return this.#with();
    else if (word === "FROM") this.#from();
    else if (word === "JOIN" || word === "STRAIGHT_JOIN") frame.expect = frame.list = "read";
    else if (word === "USING") this.#using();
    else if (word === "INTO") frame.expect = "write";
    else return this.#verb(word);
    return true;
  }

  #begin(verb: string, expect: TableUse["access"] | null): void {
    Object.assign(this.#frame, { verb, expect, list: null, cte: false, inWith: false });
  }

  #verb(word: string): boolean {
    const before = this.#previous()?.word ?? "";
    const first = before === "" || !this.#previous()?.name || this.#frame.verb === "" ||
      before === "AS" || before === "EXPLAIN" || before === "ANALYZE";
    if (word === "UPDATE" || word === "INSERT") {
      if (!noStatement.has(before)) this.#begin(word, "write");
    } else if (word === "DELETE") {
      if (!noStatement.has(before)) this.#begin(word, null);
    } else if (word === "MERGE" || word === "COPY" || definitions.has(word)) {
      if (first) this.#begin(word, null);
    } else if ((word === "REPLACE" || word === "UPSERT" || word === "TRUNCATE") && first) {
      this.#begin(word, "write");
      if (word === "TRUNCATE") this.#frame.list = "write";
    } else if ((word === "TABLE" || word === "VIEW") && definitions.has(this.#frame.verb)) {
      this.#frame.expect = "write";
    } else return false;
    return true;
  }

  #with(): true {
    const before = this.#previous();
    const begins = before === undefined || !before.name || before.word === "AS" ||
      before.word === "EXPLAIN";
    if (begins && this.tokens[this.#at + 1]?.text !== "(") {
      Object.assign(this.#frame, { inWith: true, cte: true });
      if (this.tokens[this.#at + 1]?.word === "RECURSIVE") this.#at++;
    }
    return true;
  }

  #from(): void {
    const frame = this.#frame;
    if (frame.arguments && frame.verb === "") return;
    if (this.#previous()?.word === "DISTINCT" && frame.list === null && frame.expect === null) {
      const select = this.tokens[this.#at - 2]?.word === "SELECT";
      if (!select) return;
    }
    if (frame.verb === "COPY") return;
    frame.expect = frame.verb === "DELETE" ? "write" : "read";
    frame.list = "read";
  }

  #using(): void {
    const { verb } = this.#frame;
    if (verb !== "DELETE" && verb !== "MERGE") return;
    this.#frame.expect = this.#frame.list = "read";
  }
}

function newFrame(inArguments: boolean, expect: Frame["expect"]): Frame {
  return { arguments: inArguments, verb: "", expect, list: null, cte: false, inWith: false };
}

const clauses = new Set(
  ("FROM JOIN IN AS ON AND OR NOT EXISTS WHERE SELECT VALUES ANY ALL SOME USING INTO BY HAVING WHEN THEN " +
    "ELSE UNION EXCEPT INTERSECT LATERAL MATERIALIZED ONLY TABLE WITH COPY DISTINCT RETURNING SET")
    .split(
      " ",
    ),
);

function isClause(word: string): boolean {
  return clauses.has(word);
}

/** A word, name or symbol of a statement; literals, comments and numbers are left out. */
interface Token {
  /** As written, for a name with its quotes taken off: `public.orders`. */
  text: string;
  /** Upper case when it may be a keyword: one word without quotes. Else empty. */
  word: string;
  name: boolean;
  /** As written, with quotes. */
  raw: string;
}

/** How names and comments are written: as any system does, or as PostgreSQL alone does. */
type Notation = "any" | "postgresql";

const sqlComment = String.raw`--[^\n]*|/\*[\s\S]*?(?:\*/|$)`;
// Each of these matches to the end of the text when it is not closed, so that nothing is tried twice.
const dollarQuoted = String.raw`\$([A-Za-z_]*)\$[\s\S]*?(?:\$\1\$|$)`;
const bare = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`;
const doubleQuoted = String.raw`"(?:[^"]|"")*(?:"|$)`;

const forms: Record<Notation, { comment: string; literal: string; part: string }> = {
  any: {
    comment: String.raw`${sqlComment}|#[^\n]*`,
    literal: String.raw`'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$)`,
    part: String.raw`(?:${bare}|${doubleQuoted}|` + "`[^`]*(?:`|$)" +
      String.raw`|\[[^\]]*(?:\]|$))`,
  },
  // There `#` is an operator, brackets are those of arrays, and a backslash in a string is itself.
  postgresql: {
    comment: sqlComment,
    literal: String.raw`'(?:[^']|'')*(?:'|$)`,
    part: String.raw`(?:${bare}|${doubleQuoted})`,
  },
};

function tokenOf({ comment, literal, part }: (typeof forms)[Notation]): RegExp {
  const name = String.raw`(${part}(?:\s?\.\s?${part})*)`;
  // expression-ok -- each piece ends at its closing mark, or takes the rest; cost.test.ts of the traces measures it
  return new RegExp(
    String.raw`${comment}|${literal}|${dollarQuoted}|[@:]+\w*|\d[\w.]*|${name}|[(),;]`,
    "g",
  );
}

const tokens: Record<Notation, RegExp> = {
  any: tokenOf(forms.any),
  postgresql: tokenOf(forms.postgresql),
};

/** Cuts the first `max` characters of a statement into the tokens needed to find its tables. */
export function tokensOf(statement: string, max: number, notation: Notation = "any"): Token[] {
  const found: Token[] = [];
  for (const match of statement.slice(0, max).matchAll(tokens[notation])) {
    const text = match[0];
    if (match[2] !== undefined) found.push(named(text));
    else if (text.length === 1 && "(),;".includes(text)) {
      found.push({ text, word: text, name: false, raw: text });
    }
  }
  return found;
}

const quotes = /["`[\]]/g;

function named(raw: string): Token {
  const quoted = quotes.test(raw);
  quotes.lastIndex = 0;
  if (!quoted && !raw.includes(".")) {
    return { text: raw, word: raw.toUpperCase(), name: true, raw };
  }
  const text = raw.replace(quotes, "").replace(/\s?\.\s?/g, ".");
  return { text, word: "", name: text !== "", raw };
}
