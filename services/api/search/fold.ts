/** Marks that are removed, and characters that are not seen, as in search_unmarked() of the database. */
const removed =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+/g;

/** Letters that Unicode does not decompose, as in search_fold() of the database. */
const plain = new Map(Object.entries({
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ŧ: "t",
  ς: "σ",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
}));

/** A character with the marks behind it; the letters of a Korean syllable that are written one by one. */
const cluster = /[\u1100-\u11ff]+|\P{M}\p{M}*|\p{M}+/gu;

export interface FoldedText {
  /** Lower case without diacritics. */
  text: string;
  /** For each UTF-16 unit of it, where the character that it stems from begins in the original; absent where both are alike. */
  at?: number[];
}

// deno-lint-ignore no-control-regex -- ASCII
const ascii = /^[\u0000-\u007f]*$/;

/** Folds a text as documents and queries of searches are folded, and returns the position of each letter. */
export function fold(original: string): FoldedText {
  if (ascii.test(original)) return { text: original.toLowerCase() };
  let text = "";
  const at: number[] = [];
  for (const { 0: letter, index } of original.matchAll(cluster)) {
    const folded = known.get(letter) ?? learn(letter);
    text += folded;
    for (let i = 0; i < folded.length; i++) at.push(index);
  }
  return { text, at };
}

/** Characters that were folded; texts repeat few. */
const known = new Map<string, string>();
const maxKnown = 10_000;
const longestKnown = 8;

function learn(letter: string): string {
  const lower = letter.normalize("NFKD").replace(removed, "").toLowerCase();
  const folded = Array.from(lower, (one) => plain.get(one) ?? one).join("").normalize("NFC");
  if (known.size >= maxKnown) known.clear();
  if (letter.length <= longestKnown) known.set(letter, folded);
  return folded;
}
