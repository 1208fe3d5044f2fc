import type { Context } from "#platform/context.ts";
import { longestReturn, type PageRequest, redirect } from "#platform/http/pages.ts";
import { rememberAccount } from "#services/api/access/callers/person.ts";
import type { AccessAudit } from "#services/api/access/audit.ts";
import {
  endedCookie,
  sessionCookie,
  sessionIdsOf,
  type Sessions,
} from "#services/api/access/sessions/sessions.ts";
import type { SessionStarter, SignedIn, SignInMode } from "#services/api/access/sign-in/port.ts";

/** Starts and ends sessions of browsers. */
export class SessionStart implements SessionStarter {
  constructor(
    private readonly context: Context,
    private readonly deps: { sessions: Sessions; audit: AccessAudit },
  ) {}

  /**
   * Starts a session under a new id, whatever id the browser came with, and ends the session that it had. Answers with
   * the cookie and a redirect to `returnTo`, else to `/`. Rejects with 503, and begins nothing, when auditors cannot be
   * told.
   */
  async begin(
    request: Request,
    user: SignedIn,
    returnTo: string | undefined,
    address?: string,
  ): Promise<Response> {
    const { db, config } = this.context;
    const { sessions, audit } = this.deps;
    await rememberAccount(db, user);
    const id = await sessions.begin(user);
    try {
      await audit.signedIn(user, address);
      for (const old of sessionIdsOf(request.headers)) await sessions.end(old);
    } catch (error) {
      await sessions.end(id).catch(() => {});
      throw error;
    }
    const maxAgeSeconds = config.session["absolute-timeout"] / 1_000;
    const cookie = sessionCookie(id, { secure: this.#secure, maxAgeSeconds });
    return redirect(returnPath(returnTo) ?? "/", { "set-cookie": cookie });
  }

  /**
   * Ends every session of a browser, and sends it to the provider to sign out there too, where it has such a page. A script
   * that requests JSON receives the address of that page, null if there is none: a form must not be redirected to another site.
   */
  async end(
    { request, caller }: PageRequest,
    signOutUrl: SignInMode["signOutUrl"],
  ): Promise<Response> {
    const { sessions, audit } = this.deps;
    let user: SignedIn | undefined;
    for (const id of sessionIdsOf(request.headers)) {
      const ended = await sessions.find(id);
      await sessions.end(id);
      if (ended) await audit.signedOut(ended, caller.address);
      user ??= ended;
    }
    const away = user && await signOutUrl?.(user).catch((error) => {
      this.context.log.warn("sign-out page of the identity provider is unknown", { error });
    });
    const headers = { "set-cookie": endedCookie(this.#secure), "cache-control": "no-store" };
    if (request.headers.get("accept") === "application/json") {
      return Response.json({ location: away ?? null }, { headers });
    }
    return redirect(away ?? "/login?logout", headers);
  }

  /** Whether browsers reach this service over TLS. */
  get #secure(): boolean {
    return this.context.baseUrl().startsWith("https:");
  }
}

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
