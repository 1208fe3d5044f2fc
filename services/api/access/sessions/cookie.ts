/** Name of the session cookie, as published. */
const name = "SESSION";

/** An id that a session may have; anything else is not looked up. */
const idForm = /^[A-Za-z0-9_-]{43}$/;

/** Maximum number of ids of one request that are looked at. */
export const maxIds = 5;

/**
 * The session id of a request; undefined when it has none that could be one, and when it has several: a neighbour of
 * this host may have planted one of them, so that its user acts in the neighbour's name.
 */
export function sessionIdOf(headers: Headers): string | undefined {
  const [id, ...others] = sessionIdsOf(headers);
  return others.length === 0 ? id : undefined;
}

/** Every session id of a request, for ending them. */
export function sessionIdsOf(headers: Headers): string[] {
  const cookies = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  const given = cookies.filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1).replace(/^"([^"]*)"$/, "$1"));
  return [...new Set(given.filter((id) => idForm.test(id)))].slice(0, maxIds);
}

/** How the cookie is sent. `secure`: over TLS only. */
export interface CookieOptions {
  secure: boolean;
  maxAgeSeconds: number;
}

/** `Set-Cookie` of a session. It never goes with requests that pages of other sites make, but for links. */
export function sessionCookie(id: string, { secure, maxAgeSeconds }: CookieOptions): string {
  const attributes = ["Path=/", "HttpOnly", "SameSite=Lax", `Max-Age=${Math.floor(maxAgeSeconds)}`];
  return [`${name}=${id}`, ...attributes, ...(secure ? ["Secure"] : [])].join("; ");
}

/** `Set-Cookie` that makes a browser forget its session. */
export const endedCookie = (secure: boolean) => sessionCookie("", { secure, maxAgeSeconds: 0 });
