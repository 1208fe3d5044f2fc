/**
 * Makes external text safe to store and show: at most `max` UTF-16 units (an ellipsis marks a cut), without
 * lone surrogates and without NUL, which databases refuse.
 */
export function bounded(text: string, max: number): string {
  const retained = text.length > max ? `${text.slice(0, max - 1)}…` : text;
  return retained.replaceAll("\0", " ").toWellFormed();
}
