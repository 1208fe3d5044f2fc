import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { inMatchingOrder } from "#platform/http/app.ts";
import type { Page } from "#platform/http/pages.ts";
import type { Route } from "#platform/operations/declare.ts";
import { openApiOf } from "#platform/operations/openapi.ts";
import { version } from "#platform/version.ts";
import { createFeatures } from "#services/api/features.ts";

/** The published documents: the API for users and programs, and the one for collectors. */
type DocumentName = "platform" | "ingestion";

const titles: Record<DocumentName, string> = {
  platform: "Tributary platform API",
  ingestion: "Tributary ingestion API",
};

interface Document extends Record<string, unknown> {
  components: { schemas: Record<string, Schema> };
}

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

/** OpenAPI 3.1 of the routes of one document, generated from their schemas. */
export function openApiDocument(routes: Route[], name: DocumentName): Record<string, unknown> {
  const own = routes.filter((route) => route.spec.document === name);
  const info = { title: titles[name], version };
  const document = openApiOf(inMatchingOrder(own), info) as Document;
  if (name === "ingestion") {
    const { schemas } = document.components;
    document.components.schemas = mapValues(schemas, (_, schema) => withNulls(schema));
  }
  return document;
}

/**
 * Collectors send explicit nulls for absent members. The parser drops them before validation, so the
 * schemas do not mention them: this makes each optional member nullable in the document. It returns copies,
 * since documents share parts that the declarations give literally.
 */
function withNulls(schema: Schema): Schema {
  const { properties, required = [], items } = schema;
  const nullable = (name: string, member: Schema): Schema => {
    const inner = withNulls(member);
    return required.includes(name) ? inner : { anyOf: [inner, { type: "null" }] };
  };
  return {
    ...schema,
    ...(properties ? { properties: mapValues(properties, nullable) } : {}),
    ...(items ? { items: withNulls(items) } : {}),
  };
}

function mapValues<T>(record: Record<string, T>, change: (name: string, value: T) => T) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, change(name, value)]),
  );
}

/** The OpenAPI documents of this release, built without any database or log. */
export function publishedDocuments(): Record<DocumentName, Record<string, unknown>> {
  const routes = publishedRoutes();
  return {
    platform: openApiDocument(routes, "platform"),
    ingestion: openApiDocument(routes, "ingestion"),
  };
}

/** Every declared operation, for building documents; the operations cannot be called. */
export function publishedRoutes(): Route[] {
  return createFeatures(offlineContext()).flatMap((feature) => feature.routes);
}

/** Declaring routes only touches configuration and metrics; access to anything else is a bug. */
function offlineContext(): Context {
  const idle: unknown = new Proxy(() => idle, { get: () => idle, apply: () => idle });
  const given: Partial<Context> = { config: Config.parse({}) };
  return new Proxy(given as Context, {
    // lookup-ok -- a stand-in that only our own code reads
    get: (target, key) => target[key as keyof Context] ?? idle,
  });
}

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
    {
      path: "/api/explorer",
      respond: () => textResponse(explorerPage, "text/html; charset=utf-8"),
    },
    {
      path: "/api/explorer/start.js",
      respond: () => textResponse(startScript, "text/javascript; charset=utf-8"),
    },
    ...Object.entries(explorerAssets).map(([file, type]) => ({
      path: `/api/explorer/${file}`,
      respond: () => textResponse(asset(file), type),
    })),
  ];
  return pages.map((page) => ({ ...page, access: "signed-in" }));
}

const explorerPage = `<!doctype html>
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

const startScript = `SwaggerUIBundle({
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

const explorerAssets: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "swagger-ui-standalone-preset.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

function asset(file: string): Uint8Array {
  return readFileSync(packages.resolve(`swagger-ui-dist/${file}`));
}

const packages = createRequire(import.meta.url);

function textResponse(content: string | Uint8Array, type: string): Response {
  return new Response(content as BodyInit, {
    headers: { "content-type": type, "content-security-policy": explorerPolicy },
  });
}

// The viewer sets style attributes while it renders; scripts are only loaded from this service.
const explorerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
