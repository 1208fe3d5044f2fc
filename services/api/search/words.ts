import { type Folded, fold } from "#services/api/search/fold.ts";
import { Terms } from "#services/api/search/terms.ts";

// Word separators as in the database functions search_words() and search_spaced(): ASCII that is neither letter nor digit,
// and marks beyond.
const word =
  /[^\p{Cc}\s!-/:-@[-`{-~\u0080-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u200a\u2010-\u2029\u202f-\u205f\u20a0-\u20cf\u2190-\u245f\u2500-\u25ff\u27c0-\u27ff\u2900-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u303f\u30a0\u30fb\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+/gu;
const camel = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const camelBeyond = /(?<=[\p{Ll}0-9])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Scripts without spaces between words: what is typed may stand anywhere in them. */
const run = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Khmr}ー]/u;
/** Shortest term that is found within words. */
const shortestWithin = 3;

/** Limits of a query as in the database function search_query(): characters, and words within them. */
export const countedCharacters = 2_000;
export const countedWords = 64;

/** The words of a text, and the parts of camel-case words. */
function pieces(text: string): string[] {
  return (text.match(word) ?? []).flatMap((w) => [w, ...w.split(camelBeyond)]);
}

/** The search terms of a query, folded, each once. */
export function termsOf(typed: string): Terms {
  const counted = typed.slice(0, countedCharacters).split(/\s+/u).slice(0, countedWords).join(" ");
  return new Terms(new Set(pieces(counted).map((piece) => fold(piece).text)));
}

/**
 * The text as HTML: every word, or part of a word, that begins with a term is in `<b>`, and of words without such a part
 * the terms within them; all else is escaped. Null when nothing matches. Only the beginning of a very long text is searched.
 */
export function highlight(text: string | null, terms: Terms): string | null {
  if (text === null) return null;
  const looked = text.slice(0, terms.take(text));
  let html = "";
  let at = 0;
  for (const match of looked.matchAll(word)) {
    for (const [start, end] of spansOf(match[0], match.index, terms)) {
      const from = Math.max(start, at);
      html += `${escapeHtml(text.slice(at, from))}<b>${escapeHtml(text.slice(from, end))}</b>`;
      at = end;
    }
  }
  return at === 0 ? null : html + escapeHtml(text.slice(at));
}

/**
 * Where parts of a word begin with a term, or terms are within it: [start, end) in the whole text, in order. No range lies
 * within the one before it.
 */
function spansOf(word: string, offset: number, terms: Terms): [number, number][] {
  const folded = fold(word);
  const longest = terms.longestAt(folded.text);
  if (folded.at && run.test(word)) return spansWithin(word, offset, folded, longest);
  const spans: [number, number][] = [];
  const ends: number[] = [];
  for (const part of word.split(folded.at ? camelBeyond : camel)) ends.push((ends.at(-1) ?? 0) + part.length);
  let covered = 0;
  let last = 0;
  let from = 0;
  for (let at = 0; at < ends.length; at++) {
    const start = ends[at - 1] ?? 0;
    while (from < folded.text.length && (folded.at?.[from] ?? from) < start) from++;
    const reached = longest[from] ? endOf(word, folded, from + longest[from]!) : 0;
    if (reached <= Math.max(start, covered)) continue;
    while (ends[last]! < reached) last++;
    covered = ends[last]!;
    spans.push([offset + start, offset + covered]);
  }
  return covered > 0 ? spans : spansWithin(word, offset, folded, longest);
}

/** Where terms are within a word, the first and longest ones. */
function spansWithin(
  word: string,
  offset: number,
  folded: Folded,
  longest: Uint32Array,
): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = 0; at < folded.text.length; at++) {
    const length = longest[at]!;
    if (length === 0 || length < shortestWithin && !run.test(folded.text[at]!)) continue;
    spans.push([offset + (folded.at?.[at] ?? at), offset + endOf(word, folded, at + length)]);
    at += length - 1;
  }
  return spans;
}

/** Where in a word the character ends that has the folded unit before `end`. */
function endOf(word: string, { text, at }: Folded, end: number): number {
  if (!at) return end;
  let next = end;
  while (next < text.length && at[next] === at[end - 1]) next++;
  return next < text.length ? at[next]! : word.length;
}

const entities = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character)!);
}
