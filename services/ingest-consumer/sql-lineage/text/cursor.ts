import type { Token } from "./tokens.ts";

/** A name with several parts, from the outside in. */
export type NameParts = string[];

/** Walks over the tokens of a statement. */
export class Cursor {
  at = 0;

  constructor(readonly tokens: readonly Token[]) {}

  get token(): Token | undefined {
    return this.tokens[this.at];
  }

  word(ahead = 0): string {
    return this.tokens[this.at + ahead]?.word ?? "";
  }

  /** Goes over these words, if all of them come next. */
  take(...words: string[]): boolean {
    if (!words.every((word, ahead) => this.word(ahead) === word)) return false;
    this.at += words.length;
    return true;
  }

  /** Goes over a name such as `a.b."c"`; undefined where none stands. */
  name(): NameParts | undefined {
    const parts: string[] = [];
    for (;;) {
      const { token } = this;
      if (!token || (token.kind !== "word" && token.kind !== "quoted")) break;
      let { text } = token;
      this.at++;
      // BigQuery writes projects with dashes and without quotes.
      while (this.word() === "-" && this.tokens[this.at + 1]?.kind === "word") {
        text += `-${this.tokens[this.at + 1]!.text}`;
        this.at += 2;
      }
      parts.push(text);
      if (this.word() !== ".") break;
      this.at++;
      // T-SQL leaves out the schema: `db..name`.
      if (this.word() === ".") this.at++;
    }
    return parts.length > 0 ? parts : undefined;
  }

  /** Goes over what stands in parentheses, which come next; its tokens without them. */
  group(): Token[] | undefined {
    const open = this.token;
    if (open?.word !== "(") return undefined;
    const close = this.tokens.findIndex((one, i) =>
      i > this.at && one.word === ")" && one.depth === open.depth
    );
    const end = close < 0 ? this.tokens.length : close;
    const inner = this.tokens.slice(this.at + 1, end);
    this.at = Math.min(end + 1, this.tokens.length);
    return inner;
  }

  /** The place of the next token from here on, outside of parentheses, for which this holds; -1 for none. */
  find(holds: (token: Token, at: number) => boolean, from = this.at): number {
    const depth = this.tokens[0]?.depth ?? 0;
    for (let i = from; i < this.tokens.length; i++) {
      const token = this.tokens[i]!;
      if (token.depth === depth && holds(token, i)) return i;
    }
    return -1;
  }

  rest(from = this.at): Token[] {
    return this.tokens.slice(from);
  }
}

/** Parts of a list that commas divide, outside of parentheses. */
export function partsByComma(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  const depth = tokens[0]?.depth ?? 0;
  for (const token of tokens) {
    if (token.word === "," && token.depth === depth) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.filter((one) => one.length > 0);
}
