import type { Hono } from "hono";
import { AppError } from "#kit/errors.ts";
import type { AppEnv } from "#platform/http/env.ts";
import { anonymous } from "#contract/actor.ts";
import { longestReturn, redirect, withReturn } from "#platform/http/redirect.ts";
import type { AccessControl } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Access } from "#platform/operations/declare.ts";

/** The request of a page. */
export interface PageRequest {
  request: Request;
  caller: Caller;
}

/** What is served besides the operations, such as the API explorer and the sign-in page. */
export interface Page {
  path: string;
  /** Default: get. */
  method?: "get" | "post";
  /** Who may ask for it. An anonymous page is not told who asks. */
  access: "anonymous" | "signed-in";
  respond: (asked: PageRequest) => Response | Promise<Response>;
}

/** Serves a page to whoever may ask for it. */
export function mountPage(app: Hono<AppEnv>, page: Page, access: AccessControl): void {
  app.on((page.method ?? "get").toUpperCase(), page.path, async (c) => {
    const request = c.req.raw;
    const caller = await callerOf(request, c.env?.client, page.access, access);
    await access.authorizer.authorize(caller, page.access);
    return await page.respond({ request, caller });
  });
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
 * Sends a browser that asks for a page without being signed in to the sign-in page; undefined for every other
 * request and error, which are answered as such.
 */
export function toSignIn(
  error: unknown,
  { method, headers, url }: Request,
  { authenticator: { signInPath } }: AccessControl,
): Response | undefined {
  const unknown = error instanceof AppError && error.status === 401;
  const browser = method === "GET" && /\btext\/html\b/.test(headers.get("accept") ?? "");
  if (!unknown || !browser || signInPath === undefined) return undefined;
  const asked = URL.parse(url);
  const back = asked ? asked.pathname + asked.search : "/";
  const returnTo = back.length > longestReturn ? undefined : back;
  return redirect(withReturn(signInPath, returnTo), { vary: "Accept" });
}
