import { z } from "@hono/zod-openapi";
import { fitting } from "#services/api/mcp/fit.ts";
import { shownName, Text, Total } from "#services/api/mcp/shapes.ts";
import { tool } from "#services/api/mcp/tool.ts";

const Alias = z.object({ namespace: z.string(), name: z.string(), role: z.string() });

/** The part of a response of the operation that is passed on. */
interface NameExplanation {
  catrn: string;
  entity_id: number | null;
  rule: string;
  match: string;
  aliases: z.output<typeof Alias>[];
  source_catrn: string | null;
  warnings: string[];
}

/** What the catalogue knows a dataset of OpenLineage as. */
export const resolveName = tool({
  name: "resolve_name",
  title: "Name of OpenLineage",
  description:
    "What the catalogue knows a dataset as that OpenLineage names by namespace and name, and by which rule. Use it when " +
    "a job's log or event names a dataset that search_catalog does not find.",
  input: z.strictObject({
    namespace: Text.describe("Such as postgres://db:5432, s3://bucket or bigquery"),
    name: Text.describe("Such as shop.public.orders"),
  }),
  output: z.object({
    catrn: z.string(),
    entity_id: z.number().int().nullable().describe("null: nothing of it is catalogued yet"),
    rule: z.string(),
    match: z.string().describe(
      "exact, loose: a collector holds it; template: none does; generic: no rule knows the name",
    ),
    source_catrn: z.string().nullable(),
    warnings: z.array(z.string()),
    aliases_total: Total,
    aliases: z.array(Alias).describe("Other names of the same dataset"),
  }),
  async answer({ namespace, name }, { ask }) {
    const { body } = await ask.read("getOpenLineageName", { query: { namespace, name } });
    const { aliases, ...explained } = body as NameExplanation;
    const result = { ...explained, aliases_total: aliases.length };
    const shown = aliases.map((alias) => ({
      namespace: shownName(alias.namespace),
      name: shownName(alias.name),
      role: shownName(alias.role),
    }));
    return { ...result, aliases: fitting(shown, result) };
  },
});
