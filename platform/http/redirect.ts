/** Characters of a path that the sign-in page returns to. */
export const longestReturn = 2_000;

/** Sends a browser elsewhere (302). The answer is not to be stored. */
export function redirect(location: string, headers: Record<string, string> = {}): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", ...headers },
  });
}

/** An address that starts signing in, with the path to go to afterwards. */
export function withReturn(address: string, returnTo: string | undefined): string {
  if (returnTo === undefined) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({
    return: returnTo,
  })}`;
}
