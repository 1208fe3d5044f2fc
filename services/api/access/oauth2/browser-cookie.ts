import { randomState } from "openid-client";
import { flowMs } from "#services/api/access/oauth2/limits.ts";

const secretForm = /^[A-Za-z0-9_-]{43}$/;

/** Over TLS the prefix keeps other hosts of the domain, and connections without TLS, from planting one. */
const nameOf = (secure: boolean) => `${secure ? "__Host-" : ""}tributary_oauth2`;

/** A secret of this browser; undefined when it has none, or several, since one may be planted. */
export function browserSecret(headers: Headers, secure: boolean): string | undefined {
  const start = `${nameOf(secure)}=`;
  const given = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
  return given.length === 1 && secretForm.test(given[0]!) ? given[0] : undefined;
}

/**
 * The secret of a browser, made when it has none, with its `Set-Cookie`. One serves all flows of a browser, so that two
 * of its windows may sign in at once. It comes with links from the provider, hence Lax.
 */
export function storedSecret(
  headers: Headers,
  secure: boolean,
): { secret: string; cookie: string } {
  const secret = browserSecret(headers, secure) ?? randomState();
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${flowMs / 1_000}`];
  if (secure) attributes.push("Secure");
  return { secret, cookie: [`${nameOf(secure)}=${secret}`, ...attributes].join("; ") };
}
