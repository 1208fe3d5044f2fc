/** A word, name or symbol of a statement; literals, comments and numbers are left out. */
export interface Token {
  /** As written, for a name with its quotes taken off: `public.orders`. */
  text: string;
  /** Upper case when it may be a keyword: one word without quotes. Else empty. */
  word: string;
  name: boolean;
  /** As written, with quotes. */
  raw: string;
}

/** How names and comments are written: as any system does, or as PostgreSQL alone does. */
export type Notation = "any" | "postgresql";

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
