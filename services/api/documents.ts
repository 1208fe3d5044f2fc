import { Config } from "#platform/config/schema.ts";
import type { Context } from "#platform/context.ts";
import type { Route } from "#platform/operations/declare.ts";
import { createFeatures } from "#services/api/features.ts";
import { type DocumentName, openApiDocument } from "#services/api/openapi.ts";

/** The documents as this release publishes them, made without any engine. */
export function publishedDocuments(): Record<DocumentName, Record<string, unknown>> {
  const routes = publishedRoutes();
  return {
    platform: openApiDocument(routes, "platform"),
    ingestion: openApiDocument(routes, "ingestion"),
  };
}

/** Every operation as declared, for making documents; they cannot be called. */
export function publishedRoutes(): Route[] {
  return createFeatures(offlineContext()).flatMap((feature) => feature.routes);
}

/** Declaring routes touches configuration and instruments alone; anything else is a mistake. */
function offlineContext(): Context {
  const idle: unknown = new Proxy(() => idle, { get: () => idle, apply: () => idle });
  const given: Partial<Context> = { config: Config.parse({}) };
  return new Proxy(given as Context, {
    // lookup-ok -- a stand-in that only our own code reads
    get: (target, key) => target[key as keyof Context] ?? idle,
  });
}
