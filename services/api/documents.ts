import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { createFeatures } from "#services/api/features.ts";
import { type DocumentName, openApiDocument } from "#services/api/openapi.ts";

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
