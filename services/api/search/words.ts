import { Terms } from "#services/api/search/terms.ts";

// Word separators as in the database function search_words(): ASCII that is neither letter nor
// digit, and common typographic marks.
const word = /[^\p{Cc}\s!-/:-@[-`{-~«»‘’“”–—…•、。]+/gu;
const camel = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Limits of a query as in the database function search_query(): characters, and words within them. */
export const countedCharacters = 2_000;
export const countedWords = 64;

/** The words of a text, and the parts of camel-case words. */
function pieces(text: string): string[] {
  return (text.match(word) ?? []).flatMap((w) => [w, ...w.split(camel)]);
}

/** The search terms of a query, in lower case, each once. */
export function termsOf(typed: string): Terms {
  const counted = typed.slice(0, countedCharacters).split(/\s+/u).slice(0, countedWords).join(" ");
  return new Terms(new Set(pieces(counted).map((piece) => piece.toLowerCase())));
}

/**
 * The text as HTML: every word, or part of a word, that begins with a term is in `<b>`; all else is
 * escaped. Null when nothing matches. Only the beginning of a very long text is searched.
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
 * Where parts of a word begin with a term: [start, end) in the whole text, in order. No range lies
 * within the one before it.
 */
function spansOf(word: string, offset: number, terms: Terms): [number, number][] {
  const lower = word.toLowerCase();
  const longest = terms.longestAt(lower);
  // Some letters get longer in lower case, so positions in such a word cannot be used.
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
