import { html, raw } from "hono/html";
import { createHash } from "node:crypto";
import type { AppError } from "#kit/errors.ts";
import { basePathOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { withReturn } from "#platform/http/pages.ts";
import { languageOf, type Texts, textsIn, varyByLanguage } from "#platform/messages/texts.ts";
import { authorizationPath, type SignInMode } from "#services/api/access/sign-in/port.ts";

/** Why the page is shown, besides that somebody wants to sign in. */
export const signInNotices = [
  "error",
  "throttled",
  "unavailable",
  "denied",
  "rejected",
  "forbidden",
  "expired",
  "logout",
] as const;
export type SignInNotice = (typeof signInNotices)[number];

const style = `
:root { color-scheme: light dark; --ink: #14202b; --soft: #5a6b7b; --page: #f3f6f8; --card: #fff; --line: #c9d3dc;
  --brand: #0b6e75; --brand-ink: #fff; --bad: #a4262c; --bad-page: #fdf1f1; --good: #23633a; --good-page: #eef8f0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef3; --soft: #9db0c0; --page: #0f161c; --card: #18222b;
  --line: #34434f; --brand: #4fc3c9; --brand-ink: #06282b; --bad: #ff9c9c; --bad-page: #341b1e; --good: #8fdca8;
  --good-page: #16301f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--page);
  color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 24rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px;
  padding: 2rem; box-shadow: 0 1px 2px rgb(0 0 0 / .06), 0 8px 24px rgb(0 0 0 / .06); }
svg { display: block; width: 2.5rem; height: 2.5rem; color: var(--brand); }
h1 { margin: .75rem 0 .25rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; color: var(--soft); }
.notice { padding: .625rem .75rem; border-radius: 8px; color: var(--bad); background: var(--bad-page); }
.notice.good { color: var(--good); background: var(--good-page); }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; font-size: .875rem; }
input { width: 100%; padding: .625rem .75rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--line); border-radius: 8px; }
button, a.provider { display: block; width: 100%; margin-top: 1.25rem; padding: .6875rem .75rem; font: inherit;
  font-weight: 600; text-align: center; text-decoration: none; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--brand); color: var(--brand-ink); background: var(--brand); }
a.provider { margin-top: .625rem; color: var(--ink); background: transparent; border-color: var(--line); }
a.provider:hover { border-color: var(--brand); }
:is(input, button, a):focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
hr { margin: 1.5rem 0 .875rem; border: 0; border-top: 1px solid var(--line); }
`;

const emblem = raw(
  `<svg viewBox="0 0 40 40" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round" ` +
    `aria-hidden="true"><path d="M5 8c10 0 8 12 17 12h13"/><path d="M5 20h30"/><path d="M5 32c10 0 8-12 17-12"/></svg>`,
);

/** Exactly what the hash is of: a space more, and browsers leave all of it out. */
const styles = raw(`<style>${style}</style>`);
const styleHash = createHash("sha256").update(style).digest("base64");

/** No script, no resource of others; forms may only be sent back to this service. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

interface SignInPageOptions {
  config: Pick<Config, "catalog">;
  request: Request;
  mode: Pick<SignInMode, "passwords" | "links">;
  notice?: SignInNotice;
  /** Path to go to after signing in. */
  returnTo?: string;
  status?: number;
  headers?: Record<string, string>;
}

/** The page on which people sign in; works without JavaScript. */
export async function signInPage(options: SignInPageOptions): Promise<Response> {
  const { config, request, mode, notice, returnTo, status = 200, headers } = options;
  const base = basePathOf(config);
  const texts = textsIn(languageOf(request, config.catalog.language));
  const text = await html`
    <!DOCTYPE html>
    <html lang="${texts.language}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>${texts.text("signIn.title")}</title>
        ${styles}
      </head>
      <body>
        <main>
          ${emblem}
          <h1>${texts.text("signIn.heading")}</h1>
          <p>${texts.text("signIn.subtitle")}</p>
          ${notice ? noticeOf(notice, texts) : ""} ${mode.passwords
            ? form(base, returnTo, texts)
            : ""} ${mode.passwords && mode.links.length > 0
            ? html`
              <hr>
            `
            : ""} ${mode.links.map((link) => providerLink(base, link, returnTo, texts))}
        </main>
      </body>
    </html>
  `;
  return new Response(String(text), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "cache-control": "no-store",
      vary: varyByLanguage,
      ...headers,
    },
  });
}

/** The page that says that signing in is refused (429) or impossible (503) right now. */
export function refusalPage(
  { status, retryAfter = 5 }: AppError,
  options: Omit<SignInPageOptions, "notice" | "status" | "headers">,
): Promise<Response> {
  const notice = status === 429 ? "throttled" : "unavailable";
  return signInPage({ ...options, notice, status, headers: { "retry-after": String(retryAfter) } });
}

function noticeOf(notice: SignInNotice, texts: Texts) {
  const good = notice === "logout";
  return html`
    <p class="${good ? "notice good" : "notice"}" role="${good ? "status" : "alert"}">
      ${texts.text(`signIn.notice.${notice}`)}
    </p>
  `;
}

function form(base: string, returnTo: string | undefined, texts: Texts) {
  const back = returnTo === undefined ? "" : html`
    <input type="hidden" name="return" value="${returnTo}">
  `;
  return html`
    <form method="post" action="${base}/login">
      <label for="username">${texts.text("signIn.userName")}</label>
      <input
        id="username"
        name="username"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        required
        autofocus
      >
      <label for="password">${texts.text("signIn.password")}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      ${back}
      <button type="submit">${texts.text("signIn.button")}</button>
    </form>
  `;
}

function providerLink(
  base: string,
  { id, title }: { id: string; title: string },
  returnTo: string | undefined,
  texts: Texts,
) {
  return html`
    <a class="provider" href="${withReturn(
      base + authorizationPath(id),
      returnTo,
    )}">${texts.text("signIn.continueWith", { provider: title })}</a>
  `;
}
