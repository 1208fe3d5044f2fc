import { OpenAPIHono } from "@hono/zod-openapi";
import { mount, type Route } from "#platform/http/operation.ts";
import { inMatchingOrder } from "#platform/http/app.ts";
import { version } from "#platform/version.ts";

/** The published documents: what people and programs use, and what collectors post to. */
export type DocumentName = "platform" | "ingestion";

const titles: Record<DocumentName, string> = {
  platform: "Tributary platform API",
  ingestion: "Tributary ingestion API",
};

/** OpenAPI 3.1 of the routes of one document, generated from their schemas. */
export function openApiDocument(routes: Route[], name: DocumentName): Record<string, unknown> {
  const app = new OpenAPIHono();
  const own = routes.filter((route) => route.spec.document === name);
  for (const route of inMatchingOrder(own)) mount(app, route);
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: titles[name], version },
  }) as unknown as Record<string, unknown>;
}
