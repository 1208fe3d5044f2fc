// What parts words, as in the database's search_words(): ASCII that is neither letter nor digit, and the
// common typographic marks.
const word = /[^\p{Cc}\s!-/:-@[-`{-~«»‘’“”–—…•、。]+/gu;
const camel = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** The words of a text, and the parts of those that have any. */
function pieces(text: string): string[] {
  return (text.match(word) ?? []).flatMap((w) => [w, ...w.split(camel)]);
}

/** What is looked for, each piece in lower case and once. */
export function termsOf(typed: string): string[] {
  return [...new Set(pieces(typed).map((piece) => piece.toLowerCase()))];
}

/**
 * The text as HTML with every word, or part of a word, that begins with a term in `<b>`, and all else
 * escaped; null when nothing is found in it.
 */
export function highlight(text: string | null, terms: string[]): string | null {
  if (text === null) return null;
  const spans = [...text.matchAll(word)].flatMap((match) => spansOf(match[0], match.index, terms));
  if (spans.length === 0) return null;
  let html = "";
  let at = 0;
  for (const [start, end] of spans) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    html += `${escapeHtml(text.slice(at, from))}<b>${escapeHtml(text.slice(from, end))}</b>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

/** Where pieces of one word begin with a term, as [start, end) in the whole text, in order. */
function spansOf(word: string, offset: number, terms: string[]): [number, number][] {
  const lower = word.toLowerCase();
  // A few letters grow when they are lowered: places in such a word mean nothing.
  if (lower.length !== word.length) {
    return terms.some((term) => lower.startsWith(term)) ? [[offset, offset + word.length]] : [];
  }
  const spans: [number, number][] = [];
  const ends: number[] = [];
  for (const part of word.split(camel)) ends.push((ends.at(-1) ?? 0) + part.length);
  for (let at = 0; at < ends.length; at++) {
    const start = ends[at - 1] ?? 0;
    const found = terms.filter((term) => lower.startsWith(term, start));
    if (found.length === 0) continue;
    const reached = start + Math.max(...found.map((term) => term.length));
    let last = at;
    while (ends[last]! < reached) last++;
    spans.push([offset + start, offset + ends[last]!]);
  }
  return spans;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
