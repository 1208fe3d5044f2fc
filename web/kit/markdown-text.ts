/** Signs of Markdown and what is left of them, in order. */
const rules: readonly [sign: RegExp, rest: string][] = [
  [/^ {0,3}(?:```|~~~).{0,100}$/gm, ""],
  [/^ {0,3}#{1,6} {1,4}/gm, ""],
  [/^ {0,3}> ?/gm, ""],
  [/^ {0,8}(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?/gm, ""],
  [/!?\[([^[\]\n]{1,300})\]\([^()\s]{0,500}\)/g, "$1"],
  [/`([^`\n]{1,300})`/g, "$1"],
  [/(?<!\\)\*\*([^*\s][^*\n]{0,300})\*\*/g, "$1"],
  [/(?<!\\)\*([^*\s][^*\n]{0,300})\*/g, "$1"],
  [/~~([^~\n]{1,300})~~/g, "$1"],
  [/(?<![\p{L}\p{N}_])__([^_\n]{1,300})__(?![\p{L}\p{N}_])/gu, "$1"],
  [/(?<![\p{L}\p{N}_])_([^_\n]{1,300})_(?![\p{L}\p{N}_])/gu, "$1"],
  [/\\([\\`*_{}[\]<>()#+!|~-])/g, "$1"],
  [/\s+/g, " "],
];

/**
 * The words of a text in Markdown in one line, for a cell of a table: without the signs that make headings, lists, links and
 * emphasis. Reads the first `max` characters.
 */
export function plainText(markdown: string, max = 400): string {
  const text = rules.reduce((now, [sign, rest]) => now.replace(sign, rest), markdown.slice(0, max));
  return text.trim();
}

/**
 * Whether a link leads away from the catalogue. A browser reads `//host`, `/\\host` and the like as other hosts, whatever they
 * look like, so its own reading decides.
 */
export function isForeignLink(href: string, base: string): boolean {
  try {
    return new URL(href, base).origin !== new URL(base).origin;
  } catch {
    return true;
  }
}
