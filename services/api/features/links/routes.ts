import { z } from "@hono/zod-openapi";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";

const Link = z.object({ title: z.string(), url: z.string() }).openapi("Link");
const LinkList = z.object({ items: z.array(Link) }).openapi("LinkList");

const listSpec = operation({
  id: "getLinks",
  method: "get",
  path: "/api/links",
  document: "platform",
  tag: "links",
  summary: "Links to other places that the operator has configured (`catalog.links`)",
  access: "signed-in",
  responses: { 200: { description: "All of them, in their order", schema: LinkList } },
});

/** The links of the configuration. */
export function linkRoutes({ config }: Pick<Context, "config">): Route[] {
  return [serve(listSpec, () => Promise.resolve(ok({ items: config.catalog.links })))];
}
