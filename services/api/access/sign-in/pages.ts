import { AppError } from "#kit/errors.ts";
import { networkOf } from "#kit/network.ts";
import type { Context } from "#platform/context.ts";
import { BodyReader } from "#platform/http/body.ts";
import type { Config } from "#platform/config/schema.ts";
import { type Page, type PageRequest, redirect, withReturn } from "#platform/http/pages.ts";
import { requireType } from "#platform/http/take.ts";
import type { AccessAudit, Applicant } from "#services/api/access/audit.ts";
import {
  authorizationPath,
  type PasswordCheck,
  type SignInMode,
} from "#services/api/access/sign-in/port.ts";
import {
  refusalPage,
  type SignInNotice,
  signInNotices,
  signInPage,
} from "#services/api/access/sign-in/page.ts";
import { returnPath, type SessionStart } from "#services/api/access/sign-in/start.ts";
import type { AttemptThrottle } from "#services/api/access/callers/throttle.ts";

/** Bytes of the sign-in form, and characters of a user name. */
export const longestForm = 16_384;
export const longestName = 255;

interface SignInDeps {
  mode: SignInMode;
  start: SessionStart;
  throttle: AttemptThrottle;
  audit: AccessAudit;
}

/** The pages on which people sign in and out, with those of the mode. */
export function signInPages(context: Context, deps: SignInDeps): Page[] {
  const { mode } = deps;
  const reader = new BodyReader({
    maxBytes: longestForm,
    timeoutMs: context.config.server["body-timeout"],
  });
  const forms = new SignInForm(context.config, deps);
  const anonymous = { access: "anonymous" } as const;
  return [
    {
      ...anonymous,
      path: "/login",
      respond: ({ request }) => shown(request, mode, context.config),
    },
    {
      ...anonymous,
      path: "/login",
      method: "post",
      respond: async (request) => {
        requireType(request.request, "form");
        return await reader.read(request.request, (body) => forms.sent(request, fieldsOf(body)));
      },
    },
    {
      ...anonymous,
      path: "/logout",
      method: "post",
      respond: (request) => deps.start.end(request, mode.signOutUrl?.bind(mode)),
    },
    ...mode.pages,
  ];
}

const fieldsOf = (body: Uint8Array) => new URLSearchParams(new TextDecoder().decode(body));

/** With a single provider and no form there is nothing to choose: people are sent to it at once. */
function shown(
  request: Request,
  mode: SignInMode,
  config: Pick<Config, "catalog">,
): Promise<Response> | Response {
  const { searchParams } = new URL(request.url);
  const returnTo = returnPath(searchParams.get("return"));
  const notice = noticeOf(searchParams);
  const [only, ...others] = mode.links;
  if (!mode.passwords && only && others.length === 0 && !notice) {
    return redirect(withReturn(authorizationPath(only.id), returnTo));
  }
  return signInPage({ config, request, mode, notice, returnTo });
}

/** `/login?error`, as published, or `/login?error=expired`. */
function noticeOf(query: URLSearchParams): SignInNotice | undefined {
  if (query.has("logout")) return "logout";
  const error = query.get("error");
  if (error === null) return undefined;
  return signInNotices.find((one) => one === error) ?? "error";
}

/** A form that was sent. */
interface SubmittedForm {
  request: PageRequest;
  username: string;
  password: string;
  returnTo: string | undefined;
}

/** What becomes of a form that was sent. */
class SignInForm {
  constructor(
    private readonly config: Pick<Context["config"], "auth" | "catalog">,
    private readonly deps: SignInDeps,
  ) {}

  async sent(request: PageRequest, fields: URLSearchParams): Promise<Response> {
    const username = fields.get("username") ?? "";
    const password = fields.get("password") ?? "";
    const returnTo = returnPath(fields.get("return"));
    const { passwords } = this.deps.mode;
    if (!passwords || username === "" || username.length > longestName) return failure(returnTo);
    const sent = { request, username, password, returnTo };
    try {
      return await this.#responseTo(sent, passwords);
    } catch (error) {
      return await this.#refused(sent, error);
    }
  }

  async #responseTo(sent: SubmittedForm, passwords: PasswordCheck): Promise<Response> {
    const { start, throttle, audit } = this.deps;
    const { request: { request, caller: { address } }, username, password, returnTo } = sent;
    const attempt = { address, user: username };
    const from = {
      network: networkOf(address ?? "unknown"),
      isFurtherName: (name: string) => throttle.isFurtherName(attempt, name),
    };
    const user = await throttle.guard(
      attempt,
      () => passwords.check(username, password, from),
    );
    if (!user) {
      await audit.failed(applicantOf(sent));
      return failure(returnTo);
    }
    if (user.username !== username) await throttle.forget({ address, user: user.username });
    const after = this.config.auth["login-form-redirect"] ?? returnTo;
    return await start.begin(request, user, after, address);
  }

  /** A page for people that says why signing in is refused or impossible right now; rethrows everything else. */
  async #refused(sent: SubmittedForm, error: unknown): Promise<Response> {
    const { mode, audit } = this.deps;
    if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 503)) throw error;
    if (error.status === 429) await audit.throttled(applicantOf(sent));
    else audit.unavailable(error);
    const { request: { request }, returnTo } = sent;
    return await refusalPage(error, { config: this.config, request, mode, returnTo });
  }
}

/** The name as it was typed is stored only if it could be one: anything may be typed there. */
function applicantOf({ username, request: { caller } }: SubmittedForm): Applicant {
  const name = /^[\p{L}\p{N}._@\\ -]{1,100}$/u.test(username) ? username : null;
  return { name, provider: "", address: caller.address };
}

function failure(returnTo: string | undefined): Response {
  return redirect(withReturn("/login?error", returnTo));
}
