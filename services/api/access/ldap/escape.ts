// Names in filters and in DNs. Both escapes are of single ASCII characters, so other text stays what it is.

const hex = (character: string) =>
  `\\${character.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`;

/** A value for a filter (RFC 4515, section 3). */
export function filterValue(text: string): string {
  return text.replace(/[\\*()\0]/g, hex);
}

/** A value for a DN (RFC 4514, section 2.4), escaped by numbers throughout. */
export function dnValue(text: string): string {
  return text.replace(/[\\,+"<>;=#\0]|^ | $/g, hex);
}

/** A template with `{0}`, `{1}` … replaced. The values are in place already escaped. */
export function filled(template: string, values: readonly string[]): string {
  return template.replace(/\{([01])\}/g, (whole, index) => values[Number(index)] ?? whole);
}

/** A DN under a base; one that lies there already stays as it is. */
export function under(dn: string | undefined, base: string | undefined): string {
  if (!dn || !base) return dn ?? base ?? "";
  const trimmed = (text: string, by: string) => text.split(by).map((part) => part.trim()).join(by);
  const plain = (text: string) => trimmed(trimmed(text, ","), "=").toLowerCase();
  const [inner, outer] = [plain(dn), plain(base)];
  return inner === outer || inner.endsWith(`,${outer}`) ? dn : `${dn},${base}`;
}
