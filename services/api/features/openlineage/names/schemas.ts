import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { Id } from "#contract/http.ts";

export const OpenLineageName = z.object({
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
