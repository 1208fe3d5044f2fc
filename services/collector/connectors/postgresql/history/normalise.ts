/** Words after which a number in parentheses belongs to a type: `numeric(10, 2)`. */
const sizedTypes = new Set(
  ("numeric decimal varchar char character varying bpchar bit time timestamp timestamptz timetz interval float " +
    "precision").split(" "),
);

const word = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`;
// Each of these matches to the end of the text when it is not closed, so that nothing is tried twice.
// expression-ok -- each piece ends at its closing mark, or takes the rest; normalise.test.ts measures it
const piece = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`(?<comment>--[^\n]*|/\*)`,
    String.raw`(?<escaped>[eE]'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$))`,
    String
      .raw`(?<literal>(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$)|\$(?<tag>[A-Za-z_]*)\$[\s\S]*?(?:\$\k<tag>\$|$))`,
    String.raw`(?<parameter>\$\d+)`,
    String
      .raw`(?<number>0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)`,
    String.raw`(?<name>(?:[uU]&)?"(?:[^"]|"")*(?:"|$)|${word})`,
    String.raw`(?<other>[\s\S])`,
  ].join("|"),
  "gy",
);

/**
 * A statement of PostgreSQL without literals and comments, its white space folded. pg_stat_statements replaces constants
 * by parameters itself, but not those of utility statements such as CREATE TABLE AS before PostgreSQL 16, and it keeps
 * comments, in which programs write names of users and of requests. Places of columns (`GROUP BY 1`) and sizes of types
 * stay.
 */
export function normalised(statement: string): string {
  return new Normaliser(statement).text();
}

class Normaliser {
  readonly #out: string[] = [];
  #parameters: number;
  /** The last words, in lower case. */
  #before = "";
  #isOrdinal = false;
  /** Depth of parentheses that hold the size of a type, 0 outside. */
  #inType = 0;

  constructor(private readonly statement: string) {
    this.#parameters = maxParameter(statement);
  }

  text(): string {
    piece.lastIndex = 0;
    for (let at = 0; at < this.statement.length; at = piece.lastIndex) {
      piece.lastIndex = at;
      const { groups = {}, 0: text } = piece.exec(this.statement)!;
      if (groups.comment === "/*") piece.lastIndex = this.#endOfComment(at);
      if (groups.space !== undefined || groups.comment !== undefined) this.#space();
      else this.#take(text, groups);
    }
    return this.#out.join("").trim();
  }

  #take(text: string, groups: Record<string, string | undefined>): void {
    if (groups.escaped !== undefined || groups.literal !== undefined) return this.#literal();
    if (groups.number !== undefined) {
      if (!this.#isOrdinal && this.#inType === 0) return this.#literal();
    } else if (text === "(") {
      this.#inType = this.#inType > 0 || sizedTypes.has(this.#before) ? this.#inType + 1 : 0;
      this.#isOrdinal = false;
    } else if (text === ")") this.#inType = Math.max(0, this.#inType - 1);
    else if (text !== ",") this.#isOrdinal = text.toLowerCase() === "by";
    this.#before = text.toLowerCase();
    this.#out.push(text);
  }

  #literal(): void {
    this.#isOrdinal = false;
    this.#before = "";
    this.#out.push(`$${++this.#parameters}`);
  }

  #space(): void {
    if (this.#out.at(-1) !== " ") this.#out.push(" ");
  }

  /** Comments of this form may be nested. */
  #endOfComment(from: number): number {
    let depth = 0;
    for (let at = from; at < this.statement.length; at++) {
      const two = this.statement.slice(at, at + 2);
      if (two === "/*") depth++;
      else if (two === "*/") depth--;
      else continue;
      if (depth === 0) return at + 2;
      at++;
    }
    return this.statement.length;
  }
}

function maxParameter(statement: string): number {
  let max = 0;
  for (const [, number] of statement.matchAll(/\$(\d{1,9})/g)) max = Math.max(max, Number(number));
  return max;
}
