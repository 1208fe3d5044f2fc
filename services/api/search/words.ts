import { Terms } from "#services/api/search/terms.ts";

// What parts words, as in the database's search_words(): ASCII that is neither letter nor digit, and the
// common typographic marks.
const word = /[^\p{Cc}\s!-/:-@[-`{-~«»‘’“”–—…•、。]+/gu;
const camel = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** What counts of a query, as in the database's search_query(): characters, and words within them. */
export const countedCharacters = 2_000;
export const countedWords = 64;

/** The words of a text, and the parts of those that have any. */
function pieces(text: string): string[] {
  return (text.match(word) ?? []).flatMap((w) => [w, ...w.split(camel)]);
}

/** What is looked for, each piece in lower case and once. */
export function termsOf(typed: string): Terms {
  const counted = typed.slice(0, countedCharacters).split(/\s+/u).slice(0, countedWords).join(" ");
  return new Terms(new Set(pieces(counted).map((piece) => piece.toLowerCase())));
}

/**
 * The text as HTML with every word, or part of a word, that begins with a term in `<b>`, and all else
 * escaped; null when nothing is found in it. Of a very long text only the beginning is looked through.
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
 * Where pieces of one word begin with a term, as [start, end) in the whole text, in order of both ends;
 * none lies within the one before.
 */
function spansOf(word: string, offset: number, terms: Terms): [number, number][] {
  const lower = word.toLowerCase();
  const longest = terms.longestAt(lower);
  // A few letters grow when they are lowered: places in such a word mean nothing.
  if (lower.length !== word.length) {
    return longest[0]! > 0 ? [[offset, offset + word.length]] : [];
  }
  const spans: [number, number][] = [];
  const ends: number[] = [];
  for (const part of word.split(camel)) ends.push((ends.at(-1) ?? 0) + part.length);
  let covered = 0;
  let last = 0;
  for (let at = 0; at < ends.length; at++) {
    const start = ends[at - 1] ?? 0;
    const reached = start + longest[start]!;
    if (reached <= Math.max(start, covered)) continue;
    while (ends[last]! < reached) last++;
    covered = ends[last]!;
    spans.push([offset + start, offset + covered]);
  }
  return spans;
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
