import { AppError } from "#kit/errors.ts";
import { recordAudit } from "#metadata/catalogue/audit.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import type { Page, PageRequest } from "#platform/http/pages.ts";
import { requireType } from "#platform/http/take.ts";
import type { SignInMode } from "#services/api/access/sign-in/port.ts";
import { type SignInNotice, signInNotices, signInPage } from "#services/api/access/sign-in/page.ts";
import { returnPath } from "#services/api/access/sign-in/return-path.ts";
import type { SessionStart } from "#services/api/access/sign-in/start.ts";
import type { AttemptThrottle } from "#services/api/access/throttle.ts";

/** Bytes of the sign-in form, and characters of a user name. */
export const longestForm = 16_384;
export const longestName = 255;

export interface SignInParts {
  mode: SignInMode;
  start: SessionStart;
  throttle: AttemptThrottle;
}

/** The pages on which people sign in and out, with those of the mode. */
export function signInPages(context: Context, parts: SignInParts): Page[] {
  const { mode } = parts;
  const reader = new BodyReader({
    maxBytes: longestForm,
    timeoutMs: context.config.server["body-timeout"],
  });
  const forms = new SignInForm(context, parts);
  const anonymous = { access: "anonymous" } as const;
  return [
    { ...anonymous, path: "/login", respond: ({ request }) => shown(request, mode) },
    {
      ...anonymous,
      path: "/login",
      method: "post",
      respond: async (asked) => {
        requireType(asked.request, "form");
        return await reader.read(asked.request, (body) => forms.sent(asked, fieldsOf(body)));
      },
    },
    {
      ...anonymous,
      path: "/logout",
      method: "post",
      respond: (asked) => parts.start.end(asked, mode.signOutUrl?.bind(mode)),
    },
    ...mode.pages,
  ];
}

const fieldsOf = (body: Uint8Array) => new URLSearchParams(new TextDecoder().decode(body));

/** With a single provider and no form there is nothing to choose: people are sent to it at once. */
function shown(request: Request, mode: SignInMode): Promise<Response> | Response {
  const { searchParams } = new URL(request.url);
  const returnTo = returnPath(searchParams.get("return"));
  const notice = noticeOf(searchParams);
  const [only, ...others] = mode.links;
  if (!mode.passwords && only && others.length === 0 && !notice) {
    const query = returnTo === undefined ? "" : `?${new URLSearchParams({ return: returnTo })}`;
    return redirect(`/oauth2/authorization/${only.id}${query}`);
  }
  return signInPage({ mode, notice, returnTo });
}

/** `/login?error`, as published, or `/login?error=expired`. */
function noticeOf(query: URLSearchParams): SignInNotice | undefined {
  if (query.has("logout")) return "logout";
  const error = query.get("error");
  if (error === null) return undefined;
  return Object.hasOwn(signInNotices, error) ? error as SignInNotice : "error";
}

const redirect = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, {
    status: 302,
    headers: { location, "cache-control": "no-store", ...headers },
  });

/** What becomes of a form that was sent. */
class SignInForm {
  constructor(private readonly context: Context, private readonly parts: SignInParts) {}

  async sent({ request, caller }: PageRequest, fields: URLSearchParams): Promise<Response> {
    const { mode, start, throttle } = this.parts;
    const username = fields.get("username") ?? "";
    const returnTo = returnPath(fields.get("return"));
    const { address } = caller;
    const well = mode.passwords && username !== "" && username.length <= longestName;
    if (!well) return failure(returnTo);
    try {
      await throttle.attempt(address, username);
    } catch (error) {
      return await this.#refused(error, username, address, returnTo);
    }
    const user = await mode.passwords!.check(username, fields.get("password") ?? "")
      .catch((error) => this.#refused(error, username, address, returnTo));
    if (user instanceof Response) return user;
    if (!user) {
      await throttle.failed(address);
      await this.#audit("SIGN_IN_FAILED", username, address);
      return failure(returnTo);
    }
    await throttle.succeeded(username);
    const after = this.context.config.auth["login-form-redirect"] ?? returnTo;
    return await start.begin(request, user, after, address);
  }

  /** A page for people that says why signing in is refused or impossible right now. */
  async #refused(error: unknown, username: string, address: string | undefined, returnTo?: string) {
    if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 503)) throw error;
    if (error.status === 429) await this.#audit("SIGN_IN_THROTTLED", username, address);
    else this.context.log.warn("nobody can sign in", { error });
    return await signInPage({
      mode: this.parts.mode,
      notice: error.status === 429 ? "throttled" : "unavailable",
      returnTo,
      status: error.status,
      headers: retryOf(error),
    });
  }

  /** The name as it was typed is kept only if it could be one: anything may be typed there. */
  async #audit(type: "SIGN_IN_FAILED" | "SIGN_IN_THROTTLED", username: string, address?: string) {
    const name = /^[\p{L}\p{N}._@\\ -]{1,100}$/u.test(username) ? username : null;
    await recordAudit(this.context, {
      type,
      actor: { kind: "user", name, provider: "", address },
    });
  }
}

const retryOf = ({ retryAfter }: AppError): Record<string, string> =>
  retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };

function failure(returnTo: string | undefined): Response {
  const query = returnTo === undefined ? "" : `&${new URLSearchParams({ return: returnTo })}`;
  return redirect(`/login?error${query}`);
}
