import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "#contract/languages.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import type { Fallback, Page } from "#platform/http/pages.ts";
import { languageOf, varyByLanguage } from "#platform/messages/texts.ts";

/** Where `tools/web/build.ts` puts the built interface, below the working directory. */
const site = join(".cache", "web", "site");

const types: Map<string, string> = new Map([
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["woff2", "font/woff2"],
]);

/**
 * Everything comes from this service; nothing is evaluated, and strings become scripts or markup only through the
 * named policies of the interface.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify tributary-worker",
].join("; ");

/** Behind it stands what the interface knows from the first; nothing, in the document as it is built. */
const known = '<script type="application/json" id="known">';

/** The web interface: one document for all its paths, and the files that it loads. */
interface WebInterface extends Fallback {
  /** Files; they are the same for everybody, and hold no data. */
  files: Page[];
}

/**
 * @param context where people reach the catalogue, whose path is the start of every link of the interface, and the language
 * for browsers that accept none of ours
 * @param answers those that are the same for everybody until the next start, by the paths of their operations: the
 * document brings them, so that the first screen need not wait for them, and moves nothing when they come
 */
export function webInterface(
  { baseUrl, config }: Pick<Context, "baseUrl" | "config">,
  answers: Record<string, unknown> = {},
): WebInterface {
  // No text ends the element that holds it.
  const json = JSON.stringify(answers).replaceAll("<", "\\u003c");
  return {
    document: {
      path: "/",
      access: "signed-in",
      respond: ({ request }) =>
        documentFor(request, {
          path: new URL(baseUrl()).pathname,
          language: languageOf(request, config.catalog.language),
          answers: json,
        }),
    },
    root: { path: "/", access: "anonymous", respond: () => pointers(baseUrl()) },
    files: ["/favicon.svg", "/theme.js", "/assets/:file"].map((path) => ({
      path,
      access: "anonymous",
      respond: ({ request }) => file(request),
    })),
  };
}

interface DocumentParts {
  path: string;
  language: Language;
  /** JSON. */
  answers: string;
}

function documentFor(request: Request, { path, language, answers }: DocumentParts): Response {
  const base = path.endsWith("/") ? path : `${path}/`;
  const built = read("index.html");
  if (!built) return missing();
  const text = new TextDecoder().decode(built)
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replace('<base href="/">', `<base href="${base}">`)
    .replace("</head>", () => `${preloadOf(language)}</head>`)
    .replace(known, () => known + answers);
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-cache",
    vary: varyByLanguage,
    etag,
  };
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(text, { headers });
}

/** The messages of the first screen, which its script would request only after it has been read. */
function preloadOf(language: Language): string {
  const files = read("messages.json");
  if (!files) return "";
  const first = (JSON.parse(new TextDecoder().decode(files)) as Record<string, string>)[language];
  return first ? `<link rel="modulepreload" href="./assets/${first}">` : "";
}

/** Where to continue from `/`, for programs. */
function pointers(baseUrl: string): Response {
  const base = baseUrl.replace(/\/$/, "");
  const text = `Tributary, a data catalogue with live lineage.

Interface   ${base}/  (in a browser)
API         ${base}/api/explorer
OpenAPI     ${base}/api/v3/api-docs
Health      ${base}/health/ready
`;
  return new Response(text, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" },
  });
}

function file(request: Request): Response {
  const path = new URL(request.url).pathname;
  const [, name, extension = ""] = /^\/((?:assets\/)?[\w-][\w.-]*\.([a-z0-9]+))$/.exec(path) ?? [];
  const type = types.get(extension);
  const plain = name && type ? read(name) : undefined;
  if (!name || !type || !plain) throw notFound("file", "of the interface");
  const headers = new Headers({
    "content-type": type,
    vary: "accept-encoding",
    // Names of assets change with their content.
    "cache-control": name.startsWith("assets/")
      ? "public, max-age=31536000, immutable"
      : "no-cache",
  });
  const small = /\bbr\b/.test(request.headers.get("accept-encoding") ?? "")
    ? read(`${name}.br`)
    : undefined;
  if (small) headers.set("content-encoding", "br");
  return new Response((small ?? plain) as Uint8Array<ArrayBuffer>, { headers });
}

function read(name: string): Uint8Array | undefined {
  try {
    return readFileSync(join(site, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function missing(): Response {
  return new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tributary</title>
<h1>The web interface is not built</h1>
<p>Run <code>npm start</code>, which builds it. The API works without: see its <a href="api/explorer">explorer</a>.</p>
</html>`,
    { status: 503, headers: { "content-type": "text/html; charset=utf-8", "retry-after": "30" } },
  );
}
