import type { Context } from "#platform/context.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import type { PageRequest } from "#platform/http/pages.ts";
import { rememberAccount } from "#services/api/access/accounts.ts";
import { endedCookie, sessionCookie, sessionIdsOf } from "#services/api/access/sessions/cookie.ts";
import type { Sessions } from "#services/api/access/sessions/sessions.ts";
import type { SessionStarter, SignedIn, SignInMode } from "#services/api/access/sign-in/port.ts";
import { returnPath } from "#services/api/access/sign-in/return-path.ts";

/** Starts and ends sessions of browsers. */
export class SessionStart implements SessionStarter {
  constructor(private readonly context: Context, private readonly sessions: Sessions) {}

  /**
   * Starts a session under a new id, whatever id the browser came with, and ends the session that it had. Answers with
   * the cookie and a redirect to `returnTo`, else to `/`.
   */
  async begin(
    request: Request,
    user: SignedIn,
    returnTo: string | undefined,
    address?: string,
  ): Promise<Response> {
    const { db, config } = this.context;
    for (const old of sessionIdsOf(request.headers)) await this.sessions.end(old);
    await rememberAccount(db, user);
    const id = await this.sessions.begin(user);
    await this.#audit("SIGNED_IN", user, address);
    const maxAgeSeconds = config.session["absolute-timeout"] / 1_000;
    const cookie = sessionCookie(id, { secure: this.#secure, maxAgeSeconds });
    return redirect(returnPath(returnTo) ?? "/", cookie);
  }

  /** Ends every session of a browser, and sends it to the provider to sign out there too, where it has such a page. */
  async end(
    { request, caller }: PageRequest,
    signOutUrl: SignInMode["signOutUrl"],
  ): Promise<Response> {
    let user: SignedIn | undefined;
    for (const id of sessionIdsOf(request.headers)) {
      const ended = await this.sessions.find(id);
      await this.sessions.end(id);
      if (ended) await this.#audit("SIGNED_OUT", ended, caller.address);
      user ??= ended;
    }
    const away = user && await signOutUrl?.(user).catch((error) => {
      this.context.log.warn("the provider's page for signing out is not known", { error });
    });
    return redirect(away ?? "/login?logout", endedCookie(this.#secure));
  }

  /** Whether browsers reach this service over TLS. */
  get #secure(): boolean {
    return this.context.baseUrl().startsWith("https:");
  }

  async #audit(type: "SIGNED_IN" | "SIGNED_OUT", user: SignedIn, address?: string) {
    const actor = { kind: "user", name: user.username, provider: user.provider, address } as const;
    await recordAudit(this.context, { type, actor });
  }
}

function redirect(location: string, cookie: string): Response {
  return new Response(null, {
    status: 302,
    headers: { location, "set-cookie": cookie, "cache-control": "no-store" },
  });
}
