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
