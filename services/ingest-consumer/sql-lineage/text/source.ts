import type { Token } from "./tokens.ts";

interface Piece {
  text: string;
  /** Where it stands in the original; what was added stands where the next piece does. */
  at: number;
}

/** Text that is put together of pieces of an original, so that its places can be found there. */
export class SourceText {
  readonly #pieces: Piece[] = [];

  /** Adds generated words. */
  add(text: string): this {
    this.#pieces.push({ text, at: -1 });
    return this;
  }

  /** Adds tokens of the original; comments between them become blanks, so that places stay. */
  addTokens(sql: string, tokens: readonly Token[]): this {
    const first = tokens[0];
    if (!first) return this;
    let text = "";
    for (const { start, end } of tokens) {
      text += " ".repeat(Math.max(0, start - first.start - text.length)) + sql.slice(start, end);
    }
    this.#pieces.push({ text, at: first.start });
    this.#pieces.push({ text: " ", at: -1 });
    return this;
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join("");
  }

  /** The place in the original of a place in this text. */
  originalOf(offset: number): number {
    let begin = 0;
    let last = 0;
    for (const { text, at } of this.#pieces) {
      if (at >= 0) {
        if (offset < begin + text.length) return at + Math.max(0, offset - begin);
        last = at + text.length;
      }
      begin += text.length;
    }
    return last;
  }
}

/** Line and column of a place, from 1. */
export function lineAndColumn(sql: string, offset: number): { line: number; column: number } {
  const before = sql.slice(0, offset);
  const lines = before.split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
