/** Text for XML 1.0: escaped, without the characters that it cannot hold at all. */
export function escaped(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- XML 1.0 has no way to write these
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, "\ufffd")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
