/**
 * Makes external text safe to store and show: at most `max` UTF-16 units (an ellipsis marks a cut), without
 * lone surrogates and without NUL, which databases refuse.
 */
export function bounded(text: string, max: number): string {
  const retained = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return retained.replaceAll("\0", " ").toWellFormed();
}

/** Looked at of any text, UTF-16 units; no channel shows as much. */
const maxScanned = 64_000;

// Default_Ignorable_Code_Point is what nobody sees, such as the zero width space. Joiners and the
// selectors of variations are part of what people write: scripts and emoji are made with them.
const unseen = new RegExp(
  "(?![\\n\\t])\\p{Cc}|[\\u2028\\u2029]|" +
    "(?![\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])\\p{Default_Ignorable_Code_Point}",
  "gu",
);

/** Text as people wrote it, without what nobody sees, or hides or reorders other text; line ends are LF. */
export function clean(text: string): string {
  return text.slice(0, maxScanned).toWellFormed().replaceAll(/\r\n?/g, "\n").replaceAll(unseen, "");
}

/** Whether a text of one line holds what nobody sees, or hides or reorders other text; a line end does, too. */
export function hasHidden(text: string): boolean {
  return text.search(unseen) >= 0 || /[\n\t]/.test(text);
}

/** At most `max` UTF-16 units, a cut shown by an ellipsis; `unit` matches what must stay whole. */
export function cut(text: string, max: number, unit: RegExp = /[\s\S]/gu): string {
  if (text.length <= max) return text;
  let length = 0;
  for (const { 0: piece } of text.matchAll(unit)) {
    if (length + piece.length > max - 1) break;
    length += piece.length;
  }
  return `${text.slice(0, length)}…`;
}

interface TruncateOptions {
  /** Lines in all, when some were left away before. */
  total?: number;
  separator?: string;
}

/** The lines that fit into `max` UTF-16 units, and how many did not; the first is always kept. */
export function fitted(lines: string[], max: number, fitting: TruncateOptions = {}): string {
  const { total = lines.length, separator = "\n" } = fitting;
  const closing = (
    shown: number,
  ) => (shown < total ? `${separator}… and ${total - shown} more` : "");
  let text = lines[0] ?? "";
  for (const [index, line] of lines.slice(1).entries()) {
    const next = `${text}${separator}${line}`;
    if (next.length + closing(index + 2).length > max) return text + closing(index + 1);
    text = next;
  }
  return text + closing(lines.length);
}
