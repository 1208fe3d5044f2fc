import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "#platform/http/pages.ts";
import type { Route } from "#platform/operations/declare.ts";
import { type DocumentName, openApiDocument } from "#services/api/openapi.ts";

const packages = createRequire(import.meta.url);

const assets: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui-standalone-preset.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Tributary API explorer</title>
  <link rel="stylesheet" href="/api/explorer/swagger-ui.css">
  <link rel="icon" type="image/png" href="/api/explorer/favicon-32x32.png">
</head>
<body>
  <div id="explorer"></div>
  <script src="/api/explorer/swagger-ui-bundle.js"></script>
  <script src="/api/explorer/swagger-ui-standalone-preset.js"></script>
  <script src="/api/explorer/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  dom_id: "#explorer",
  urls: [
    { url: "/api/v3/api-docs/platform-api", name: "platform-api" },
    { url: "/api/v3/api-docs/ingestion-api", name: "ingestion-api" },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  deepLinking: true,
  validatorUrl: null,
});
`;

// The viewer sets style attributes while it renders; scripts are only loaded from this service.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The API documents, and a page that shows both without loading anything from other hosts. */
export function documentPages(routes: Route[]): Page[] {
  const texts = new Map<DocumentName, string>();
  const document = (name: DocumentName) => {
    const text = texts.get(name) ?? JSON.stringify(openApiDocument(routes, name));
    texts.set(name, text);
    return new Response(text, { headers: { "content-type": "application/json; charset=utf-8" } });
  };
  const pages: Omit<Page, "access">[] = [
    { path: "/api/v3/api-docs", respond: () => document("platform") },
    { path: "/api/v3/api-docs/platform-api", respond: () => document("platform") },
    { path: "/api/v3/api-docs/ingestion-api", respond: () => document("ingestion") },
    { path: "/api/explorer", respond: () => text(page, "text/html; charset=utf-8") },
    {
      path: "/api/explorer/start.js",
      respond: () => text(start, "text/javascript; charset=utf-8"),
    },
    ...Object.entries(assets).map(([file, type]) => ({
      path: `/api/explorer/${file}`,
      respond: () => text(asset(file), type),
    })),
  ];
  return pages.map((page) => ({ ...page, access: "signed-in" }));
}

function asset(file: string): Uint8Array {
  return readFileSync(packages.resolve(`swagger-ui-dist/${file}`));
}

function text(content: string | Uint8Array, type: string): Response {
  return new Response(content as BodyInit, {
    headers: { "content-type": type, "content-security-policy": policy },
  });
}
