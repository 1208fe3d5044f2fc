import { inMatchingOrder } from "#platform/http/app.ts";
import type { Route } from "#platform/operations/declare.ts";
import { openApiOf } from "#platform/operations/openapi.ts";
import { version } from "#platform/version.ts";
import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import { createFeatures } from "#services/api/features.ts";

/** The published documents: the API for users and programs, and the one for collectors. */
export type DocumentName = "platform" | "ingestion";

const titles: Record<DocumentName, string> = {
  platform: "Tributary platform API",
  ingestion: "Tributary ingestion API",
};

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
