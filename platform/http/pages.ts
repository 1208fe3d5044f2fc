import type { Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError } from "#kit/errors.ts";
import type { CallerShares } from "#platform/http/shares.ts";
import { type AppEnv, isRoute } from "#platform/http/requests.ts";
import { anonymous } from "#contract/actor.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Access } from "#platform/operations/declare.ts";

export interface PageRequest {
  request: Request;
  caller: Caller;
}

/** What is served besides the operations, such as the API explorer and the sign-in page. */
export interface Page {
  path: string;
  /** Default: get. */
  method?: "get" | "post";
  /** Who may request it. An anonymous page does not receive the caller. */
  access: "anonymous" | "signed-in";
  respond: (request: PageRequest) => Response | Promise<Response>;
}

/** Serves a page to authorized callers. */
export function mountPage(app: Hono<AppEnv>, page: Page, deps: PageDeps): void {
  app.on(
    (page.method ?? "get").toUpperCase(),
    page.path,
    (c) => servePage(page, c.req.raw, c.env?.client, deps),
  );
}

/** What pages are served with. */
interface PageDeps {
  access: AccessControl;
  shares: CallerShares;
}

async function servePage(
  page: Page,
  request: Request,
  address: string | undefined,
  { access, shares }: PageDeps,
): Promise<Response> {
  const caller = await callerOf(request, address, page.access, access);
  return await shares.during(caller, async () => {
    await access.authorizer.authorize(caller, page.access);
    return await page.respond({ request, caller });
  });
}

/** Paths of programs: what is unknown below them is an error, never a page. */
const forPrograms =
  /^\/(api|ingestion|integrations\/datahub|health|metrics|mcp|oauth2|login|logout|assets)(\/|$)/;

/** What is answered to requests for paths that nothing else serves. */
export interface Fallback {
  /** To a browser, whatever the path: those of the web interface are known to it alone. */
  document: Page;
  /** For a program that requests `/`; other paths are unknown. */
  root: Page;
}

/** Answers requests for paths that nothing else serves, where somebody can do something with an answer. */
export function otherPaths(
  { document, root }: Fallback,
  deps: PageDeps,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { raw, path } = c.req;
    if (matchedRoutes(c).some(isRoute) || !isRead(raw) || forPrograms.test(path)) {
      return await next();
    }
    const page = isBrowser(raw) ? document : path === "/" ? root : undefined;
    if (!page) return await next();
    const answer = await servePage(page, raw, c.env?.client, deps);
    answer.headers.append("vary", "accept");
    return answer;
  };
}

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/** Whether a browser requests a document. */
export function isBrowser(request: Request): boolean {
  return isRead(request) && /\btext\/html\b/.test(request.headers.get("accept") ?? "");
}

/** Who makes a request. Where anyone may, credentials are not looked at. */
export async function callerOf(
  request: Request,
  address: string | undefined,
  needed: Access<never>,
  { authenticator }: AccessControl,
): Promise<Caller> {
  if (needed === "anonymous") return { ...anonymous, address };
  const kind = needed === "collector" ? "collector" : "signed-in";
  return await authenticator.authenticate(request, address, kind);
}

/**
 * Redirects a browser that requests a page without being signed in to the sign-in page; undefined for every other
 * request and error, which are answered as such.
 */
export function toSignIn(
  error: unknown,
  request: Request,
  { authenticator: { signInPath } }: AccessControl,
): Response | undefined {
  const unknown = error instanceof AppError && error.status === 401;
  if (!unknown || !isBrowser(request) || signInPath === undefined) return undefined;
  const url = URL.parse(request.url);
  const back = url ? url.pathname + url.search : "/";
  const returnTo = back.length > longestReturn ? undefined : back;
  return redirect(withReturn(signInPath, returnTo), { vary: "Accept" });
}

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
