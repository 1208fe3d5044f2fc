import { z } from "@hono/zod-openapi";
import { optional } from "#contract/catalogue/common.ts";
import { Id, parameterText } from "#contract/http.ts";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { noMemory } from "#platform/naming/catalogue.ts";
import {
  catrnsOf,
  type NameRef,
  namingSettings,
  resolveNames,
} from "#platform/naming/openlineage/names.ts";
import { ok, operation, type Route, serve } from "#platform/operations/declare.ts";

const requiredQuery = (name: string, description: string) =>
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
  tag: "openlineage",
  summary: "What the catalogue knows a dataset as that OpenLineage names, and by which rule",
  access: "signed-in",
  query: z.object({
    namespace: requiredQuery("namespace", "Namespace of the dataset, such as `postgres://db:5432`"),
    name: requiredQuery("name", "Its name there, such as `shop.public.orders`"),
  }),
  responses: { 200: { description: "Its CATRN and how it was found", schema: OpenLineageName } },
});

/** Names of OpenLineage, explained. */
export function openLineageNameRoutes(context: Pick<Context, "db" | "config">): Route[] {
  return [
    serve(nameSpec, async ({ query }) => ok(await explainName(context, query))),
  ];
}

/** What the catalogue knows a dataset of OpenLineage as, and why (OpenLineageName), as it is now. */
async function explainName({ db, config }: Pick<Context, "db" | "config">, given: NameRef) {
  const settings = namingSettings(config.openlineage);
  const [resolved] = await resolveNames(db, [given], settings, noMemory);
  const { catrn, rule, match, warnings } = resolved!;
  const [entity] = await db.query(entityByCatrn, [catrn]);
  return {
    catrn,
    entity_id: entity?.id ?? null,
    rule,
    match,
    aliases: await db.query(otherNames, [catrnsOf(given, settings).catrn]),
    source_catrn: entity?.source ?? null,
    warnings,
  };
}

/** The live entity of a CATRN and the CATRN of its data source; none for a mere name. */
const entityByCatrn = statement<{ id: number; source: string | null }>("openlineage-name-entity")`
  SELECT e.id, s.catrn AS source
    FROM data_entity e LEFT JOIN data_source s ON s.id = e.data_source_id
   WHERE e.catrn = $1 AND NOT e.hollow AND is_live(e.status)`;

/** Another name of a dataset, and what it is to it: `table`, `location` or `name`. */
interface Alias extends NameRef {
  role: string;
}

/** The other names of a dataset from events. $1 its CATRN by the rules. No group has more than 50 names. */
const otherNames = statement<Alias>("openlineage-name-aliases")`
  SELECT d.namespace, d.name,
         CASE WHEN EXISTS (SELECT FROM ol_alias_link l WHERE l.to_key = d.key AND l.kind = 'location')
                THEN 'location'
              WHEN EXISTS (SELECT FROM ol_alias_link l WHERE l.from_key = d.key AND l.kind = 'location')
                THEN 'table'
              ELSE 'name' END AS role
    FROM ol_dataset own JOIN ol_dataset d ON d.catrn = own.catrn AND d.key <> own.key
   WHERE own.key = $1 ORDER BY d.key LIMIT 50`;
