import { z } from "@hono/zod-openapi";
import { Id, parameterText } from "#contract/http.ts";
import { optional } from "#contract/catalogue/common.ts";
import type { Context } from "#platform/context.ts";
import { operation, type Route, serve } from "#platform/operations/declare.ts";
import { ok } from "#platform/operations/reply.ts";
import * as service from "./service.ts";

const required = (name: string, description: string) =>
  parameterText.openapi({ param: { name, in: "query", required: true, description } });

const OpenLineageName = z.object({
  catrn: z.string().openapi({ description: "Under what the catalogue knows it" }),
  entity_id: optional(Id).openapi({ description: "Its entity; null while nothing is catalogued" }),
  rule: z.string().openapi({ description: "The rule that was used, such as `postgresql`" }),
  match: z.enum(["exact", "loose", "template", "generic"]).openapi({
    description:
      "`exact` and `loose`: a collector holds it, under the CATRN of the rule or under another spelling " +
      "of it; `template`: no collector does; `generic`: no rule knows the name",
  }),
  aliases: z.array(z.object({ namespace: z.string(), name: z.string(), role: z.string() }))
    .openapi({ description: "Other names of the same dataset" }),
  source_catrn: optional(z.string()).openapi({ description: "CATRN of its data source" }),
  warnings: z.array(z.enum(["ambiguous", "incomplete", "malformed"])).openapi({
    description:
      "`ambiguous`: several catalogued datasets fit, so none was taken; `incomplete`: the name lacks its " +
      "database, project or account; `malformed`: it is no name of its namespace's kind",
  }),
}).openapi("OpenLineageName");

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
