import { maxRaw } from "./attributes.ts";

/** A word, name or symbol of a statement; literals, comments and numbers are left out. */
export interface Token {
  /** As written, for a name with its quotes taken off: `public.orders`. */
  text: string;
  /** Upper case when it may be a keyword: one word without quotes. Else empty. */
  word: string;
  name: boolean;
}

const comment = String.raw`--[^\n]*|#[^\n]*|/\*[\s\S]*?(?:\*/|$)`;
// Each of these matches to the end of the text when it is not closed, so that nothing is tried twice.
const literal = String.raw`'(?:[^'\\]|\\[\s\S]?|'')*(?:'|$)|\$([A-Za-z_]*)\$[\s\S]*?(?:\$\1\$|$)`;
const bare = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`;
const part = String.raw`(?:${bare}|"[^"]*(?:"|$)|` + "`[^`]*(?:`|$)" +
  String.raw`|\[[^\]]*(?:\]|$))`;
const token = new RegExp(
  String.raw`${comment}|${literal}|[@:]+\w*|\d[\w.]*|(${part}(?:\s?\.\s?${part})*)|[(),;]`,
  "g",
);

/** Cuts the first `max` characters of a statement of any dialect of SQL into the tokens needed to find its tables. */
export function tokensOf(statement: string, max = maxRaw): Token[] {
  const tokens: Token[] = [];
  for (const match of statement.slice(0, max).matchAll(token)) {
    const found = match[0];
    if (match[2] !== undefined) tokens.push(named(found));
    else if (found.length === 1 && "(),;".includes(found)) {
      tokens.push({ text: found, word: found, name: false });
    }
  }
  return tokens;
}

const quotes = /["`[\]]/g;

function named(found: string): Token {
  const quoted = quotes.test(found);
  quotes.lastIndex = 0;
  if (!quoted && !found.includes(".")) {
    return { text: found, word: found.toUpperCase(), name: true };
  }
  const text = found.replace(quotes, "").replace(/\s?\.\s?/g, ".");
  return { text, word: "", name: text !== "" };
}
