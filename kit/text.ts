/**
 * Foreign text in a form that can be stored and shown: at most `max` UTF-16 units, a cut shown by an ellipsis,
 * without halves of surrogate pairs and NUL, which stores refuse.
 */
export function bounded(text: string, max: number): string {
  const kept = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return kept.replaceAll("\0", " ").toWellFormed();
}
