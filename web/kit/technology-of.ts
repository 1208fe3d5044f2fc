/** The technology that a resource name begins with: `postgresql` of `//postgresql/host/…`; null for any other text. */
export function technologyOf(catrn: string | null | undefined): string | null {
  return /^\/\/([a-z][a-z0-9_-]{1,30})\//.exec(catrn ?? "")?.[1] ?? null;
}
