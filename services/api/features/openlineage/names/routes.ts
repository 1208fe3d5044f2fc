import { z } from "@hono/zod-openapi";
import { parameterText } from "#contract/http.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import { OpenLineageName } from "./schemas.ts";
import * as service from "./service.ts";

const required = (name: string, description: string) =>
  parameterText.openapi({ param: { name, in: "query", required: true, description } });

const nameSpec = operation({
  id: "getOpenLineageName",
  method: "get",
  path: "/api/openlineage/names",
  document: "platform",
  tag: "openlineage",
  summary: "What the catalogue knows a dataset as that OpenLineage names, and by which rule",
  access: "signed-in",
  query: z.object({
    namespace: required("namespace", "Namespace of the dataset, such as `postgres://db:5432`"),
    name: required("name", "Its name there, such as `shop.public.orders`"),
  }),
  responses: { 200: { description: "Its CATRN and how it was found", schema: OpenLineageName } },
});

/** Names of OpenLineage, explained. */
export function openLineageNameRoutes(context: Pick<Context, "db" | "config">): Route[] {
  return [
    serve(nameSpec, async ({ query }) => ok(await service.explainName(context, query))),
  ];
}
