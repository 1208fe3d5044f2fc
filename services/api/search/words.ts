// Word separators as in the database functions search_words() and search_spaced(): ASCII that is neither letter nor digit,
// and marks beyond.
const wordPattern =
  /[^\p{Cc}\s!-/:-@[-`{-~\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u200a\u2010-\u2029\u202f-\u205f\u20a0-\u20cf\u2190-\u245f\u2500-\u25ff\u27c0-\u27ff\u2900-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u303f\u30a0\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/gu;
/** Where parts of a camel-case word meet, in ASCII and beyond. */
const camelBoundary = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const camelBoundaryBeyond = /(?<=[\p{Ll}0-9])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Scripts without spaces between words: what is typed may stand anywhere in them. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}ー]/u;
/** Shortest term that is found within words. */
const shortestWithin = 3;

/** Limits of a query as in the database function search_query(): characters, and words within them. */
export const countedCharacters = 2_000;
export const countedWords = 64;

/** Limits of the database function search_around(): words of a query, and words of names that have one of them within. */
export const scanWindow = 16;
export const maxAround = 200;

/** The search terms of a query, folded, each once. */
export function termsOf(typed: string): Terms {
  const counted = typed.slice(0, countedCharacters).split(/\s+/u).slice(0, countedWords).join(" ");
  return new Terms(new Set(pieces(counted).map((piece) => fold(piece).text)));
}

/** The words of a text, and the parts of camel-case words. */
function pieces(text: string): string[] {
  return (text.match(wordPattern) ?? []).flatMap((w) => [w, ...w.split(camelBoundaryBeyond)]);
}

/**
 * The text as HTML: every word, or part of a word, that begins with a term is in `<b>`, and of words without such a part
 * the terms within them; all else is escaped. Null when nothing matches. Only the beginning of a very long text is searched.
 */
export function highlight(text: string | null, terms: Terms): string | null {
  if (text === null) return null;
  const scanned = text.slice(0, terms.take(text));
  const found = new Matches(scanned, terms);
  let html = "";
  let at = 0;
  for (const match of scanned.matchAll(wordPattern)) {
    for (const [start, end] of found.within(match[0], match.index)) {
      const from = Math.max(start, at);
      html += `${escapeHtml(text.slice(at, from))}<b>${escapeHtml(text.slice(from, end))}</b>`;
      at = end;
    }
  }
  return at === 0 ? null : html + escapeHtml(text.slice(at));
}

/** The positions of terms in a text; its words are read in order. */
class Matches {
  readonly #folded: FoldedText;
  /** By place in the folded text. */
  readonly #longest: Uint32Array;
  /** The position in the folded text of the last request. */
  #place = 0;
  readonly #end: number;

  constructor(text: string, terms: Terms) {
    this.#folded = fold(text);
    this.#end = text.length;
    this.#longest = terms.longestAt(this.#folded.text);
  }

  /**
   * Where parts of a word begin with a term, or terms are within it: [start, end) in the text, in order. No range lies within
   * the one before it.
   */
  within(word: string, offset: number): [number, number][] {
    const isBeyond = this.#folded.at !== undefined;
    if (isBeyond && unspaced.test(word)) return this.#inside(word, offset);
    const spans: [number, number][] = [];
    const ends: number[] = [];
    for (const part of word.split(isBeyond ? camelBoundaryBeyond : camelBoundary)) {
      ends.push((ends.at(-1) ?? offset) + part.length);
    }
    let covered = 0;
    let last = 0;
    for (let at = 0; at < ends.length; at++) {
      const start = ends[at - 1] ?? offset;
      const reached = this.#reached(start);
      if (reached <= Math.max(start, covered)) continue;
      while (ends[last]! < reached) last++;
      covered = ends[last]!;
      spans.push([start, covered]);
    }
    return covered > 0 || word.length < shortestWithin ? spans : this.#inside(word, offset);
  }

  /** Where terms are within a word, the first and longest ones. */
  #inside(word: string, offset: number): [number, number][] {
    const spans: [number, number][] = [];
    const end = offset + word.length;
    for (let at = offset; at < end;) {
      const reached = this.#reached(at);
      const length = this.#longest[this.#place]!;
      const counts = reached > at &&
        (length >= shortestWithin || unspaced.test(word[at - offset]!));
      if (counts) spans.push([at, reached]);
      at = counts ? reached : at + 1;
    }
    return spans;
  }

  /**
   * Where the longest term ends that begins at a place of the text, with the whole of its last character; the place itself
   * if none does.
   */
  #reached(start: number): number {
    const { at, text } = this.#folded;
    if (!at) {
      this.#place = start;
      return start + this.#longest[start]!;
    }
    // A word may be looked through twice.
    while (this.#place > 0 && at[this.#place - 1]! >= start) this.#place--;
    while (this.#place < text.length && at[this.#place]! < start) this.#place++;
    if (at[this.#place] !== start || !this.#longest[this.#place]) return start;
    let end = this.#place + this.#longest[this.#place]!;
    while (end < text.length && at[end] === at[end - 1]) end++;
    return end < text.length ? at[end]! : this.#end;
  }
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => htmlEntities.get(character)!);
}

const htmlEntities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

interface FoldedText {
  /** Lower case without diacritics. */
  text: string;
  /**
   * For each UTF-16 unit of it, where the character that it stems from begins in the original; absent where both are
   * alike.
   */
  at?: number[];
}

/** Folds a text as documents and queries of searches are folded, and returns the position of each letter. */
function fold(original: string): FoldedText {
  if (ascii.test(original)) return { text: original.toLowerCase() };
  let text = "";
  const at: number[] = [];
  for (const { 0: letter, index } of original.matchAll(cluster)) {
    const folded = foldedLetters.get(letter) ?? foldLetter(letter);
    text += folded;
    for (let i = 0; i < folded.length; i++) at.push(index);
  }
  return { text, at };
}

// deno-lint-ignore no-control-regex -- ASCII
const ascii = /^[\u0000-\u007f]*$/;

/** A character with the marks behind it; the letters of a Korean syllable that are written one by one. */
const cluster = /[\u1100-\u11ff]+|\P{M}\p{M}*|\p{M}+/gu;

function foldLetter(letter: string): string {
  const lower = letter.normalize("NFKD").replace(removedMarks, "").toLowerCase();
  const folded = Array.from(lower, (one) => plainLetters.get(one) ?? one).join("").normalize("NFC");
  if (foldedLetters.size >= maxFoldedLetters) foldedLetters.clear();
  if (letter.length <= longestFoldedLetter) foldedLetters.set(letter, folded);
  return folded;
}

/** Characters that were folded; texts repeat few. */
const foldedLetters = new Map<string, string>();
const maxFoldedLetters = 10_000;
const longestFoldedLetter = 8;

/** Marks that are removed, and characters that are not seen, as in search_unmarked() of the database. */
const removedMarks =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]+/g;

/** Letters that Unicode does not decompose, as in search_fold() of the database. */
const plainLetters = new Map(Object.entries({
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

/** Most UTF-16 units searched for matches: in one text, and in all texts of one request. */
const maxScanned = 100_000;
export const maxScannedInTotal = 2_000_000;

/** A node of the trie of reversed terms: the path from the root spells the end of a term, backwards. */
interface Node {
  next: Map<number, Node>;
  /** The node of the longest proper suffix of this path that is in the trie too (the failure link). */
  fallback: Node;
  /** Length of the longest term that begins at the letter read last; 0 if there is none. */
  longest: number;
}

/**
 * Finds terms in texts with an Aho-Corasick automaton that reads backwards. The time depends only on
 * the length of the text, not on the number of terms or on repetitions within them.
 */
export class Terms {
  readonly #root = nodeOf();
  #left = maxScannedInTotal;

  constructor(terms: Iterable<string>) {
    for (const term of terms) this.#add(term);
    this.#link();
  }

  /** How much of a text may be searched, in UTF-16 units; little or nothing after many other texts. */
  take(text: string): number {
    const taken = Math.min(text.length, maxScanned, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** For each position of `text`, the length of the longest term that begins there; 0 for none. */
  longestAt(text: string): Uint32Array {
    const found = new Uint32Array(text.length);
    let node = this.#root;
    for (let at = text.length - 1; at >= 0; at--) {
      node = this.#step(node, text.charCodeAt(at));
      found[at] = node.longest;
    }
    return found;
  }

  #add(term: string): void {
    let node = this.#root;
    for (let at = term.length - 1; at >= 0; at--) {
      const unit = term.charCodeAt(at);
      let next = node.next.get(unit);
      if (!next) node.next.set(unit, next = nodeOf());
      node = next;
    }
    node.longest = term.length;
  }

  /** Level by level: failure links of shorter paths must exist before longer ones need them. */
  #link(): void {
    let level = [...this.#root.next.values()];
    for (const node of level) node.fallback = this.#root;
    while (level.length > 0) {
      const below: Node[] = [];
      for (const node of level) {
        node.longest ||= node.fallback.longest;
        for (const [unit, next] of node.next) {
          next.fallback = this.#step(node.fallback, unit);
          below.push(next);
        }
      }
      level = below;
    }
  }

  #step(from: Node, unit: number): Node {
    let node = from;
    for (; node !== this.#root; node = node.fallback) {
      const next = node.next.get(unit);
      if (next) return next;
    }
    return node.next.get(unit) ?? node;
  }
}

function nodeOf(): Node {
  const node = { next: new Map(), longest: 0 } as unknown as Node;
  node.fallback = node;
  return node;
}
