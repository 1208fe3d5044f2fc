import { longestReturn } from "#platform/http/redirect.ts";

/**
 * The path to go to after signing in, if it is one of this service; undefined otherwise. Browsers read `//host`, `/\host`
 * and paths with tabs or line breaks as addresses of other hosts.
 */
export function returnPath(given: string | null | undefined): string | undefined {
  if (!given || given.length > longestReturn || !given.startsWith("/")) return undefined;
  // deno-lint-ignore no-control-regex -- those are what is refused
  if (/^\/[/\\]|[\u0000-\u0020\u007f\\]/.test(given)) return undefined;
  const base = "http://this.invalid";
  const url = URL.parse(given, base);
  if (!url || url.origin !== base) return undefined;
  // Dots that were resolved may have left two slashes at the beginning.
  if (url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
