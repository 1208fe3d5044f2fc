import { z } from "@hono/zod-openapi";
import { type EntityType, entityTypes } from "#contract/entities.ts";
import { badRequest } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { entitySearch } from "#services/api/features/search/service.ts";
import { maxListed } from "#services/api/mcp/limits.ts";
import { entityUrl } from "#services/api/mcp/references.ts";
import {
  Cursor,
  cursorTo,
  descriptionOf,
  Entity,
  fitting,
  limitOf,
  nameOf,
  NextCursor,
  offsetOf,
  shownDescription,
  shownName,
  Text,
  Total,
  typeOf,
  Types,
} from "#services/api/mcp/shapes.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";
import type { SearchFamily, SearchState, SelectedFacet } from "#services/api/search/family.ts";
import { results } from "#services/api/search/results.queries.ts";

const toolName = "search_catalog";

const input = z.strictObject({
  query: Text.optional().describe(
    "Words or prefixes; all must be found in names, descriptions, columns, tags or owners",
  ),
  types: Types.optional().describe("Only entities of these types"),
  data_source: Text.optional().describe(
    "Only those of the data source of this exact name or CATRN",
  ),
  tags: z.array(Text).max(maxListed).optional().describe("Only those with any of these tags"),
  owner: Text.optional().describe("Only those of the owner of this exact name"),
  limit: limitOf(50, 20),
  cursor: Cursor.optional(),
});
type ToolInput = z.output<typeof input>;

const Item = Entity.extend({
  data_source: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string(),
});
type Item = z.output<typeof Item>;

/** Finds entities by words. */
export const searchCatalog = tool({
  name: toolName,
  title: "Search the catalogue",
  description:
    "Finds tables, topics, jobs, dashboards and whatever else is in the catalogue by words and filters, the best " +
    "matches first. Use it to learn the id of an entity that you know by a word or two.",
  input,
  output: z.object({
    total: Total,
    total_is_minimum: z.boolean().describe("More match than are counted"),
    items: z.array(Item),
    cursor: NextCursor,
  }),
  async answer(given, context) {
    await context.ask.allowed("search");
    const offset = offsetOf(toolName, given);
    const { items, ...totals } = await entitiesFound(context, given, offset);
    const fitted = fitting(items, {});
    const end = totals.total_is_minimum ? Infinity : totals.total;
    return {
      ...totals,
      items: fitted,
      cursor: cursorTo(toolName, given, offset + fitted.length, end),
    };
  },
});

async function entitiesFound({ context, ask }: ToolContext, given: ToolInput, offset: number) {
  const state = await stateOf(context.db, given);
  const page = { limit: given.limit, offset };
  const json = await results(context, shortSearch, state, ask.actor, page);
  const { items, ...totals } = JSON.parse(json) as {
    total: number;
    total_is_minimum: boolean;
    items: Omit<Item, "url">[];
  };
  return {
    ...totals,
    items: items.map((item): Item => ({
      ...item,
      name: shownName(item.name),
      description: shownDescription(item.description),
      data_source: item.data_source && shownName(item.data_source),
      url: entityUrl(context, item.id),
    })),
  };
}

/** The search over entities, its results short. */
const shortSearch: SearchFamily = {
  ...entitySearch,
  results: {
    schema: entitySearch.results.schema,
    json: ({ ids, total, isMinimum }) =>
      `json_build_object('total', ${total}, 'total_is_minimum', ${isMinimum}, 'items', (
        SELECT coalesce(json_agg(json_build_object('id', e.id, 'catrn', e.catrn, 'name', ${
        nameOf("e")
      }, 'type', ${typeOf("e")}, 'data_source', s.name, 'description', ${
        descriptionOf("e")
      }) ORDER BY page.place), '[]')
          FROM unnest(${ids}) WITH ORDINALITY AS page (id, place)
          JOIN data_entity e ON e.id = page.id LEFT JOIN data_source s ON s.id = e.data_source_id))`,
  },
};

async function stateOf(db: Queryable, given: ToolInput): Promise<SearchState> {
  const { query = "", types = [], data_source, tags = [], owner } = given;
  const named = data_source !== undefined || owner !== undefined || tags.length > 0;
  const rows = named
    ? await db.query(namedFilters, [data_source ?? null, tags, owner ?? null])
    : [];
  const chosen = (kind: FilterRow["kind"]) =>
    rows.filter((row) => row.kind === kind).map(({ id }) => ({ id, name: null }));
  requireNamed(rows, given);
  return {
    query,
    my_objects: false,
    filters: new Map<string, SelectedFacet[]>([
      ["types", types.map((type: EntityType) => ({ id: entityTypes[type].id, name: type }))],
      ["datasources", chosen("data_source")],
      ["tags", chosen("tag")],
      ["owners", chosen("owner")],
    ]),
  };
}

/** What is named by a filter. */
interface FilterRow {
  kind: "data_source" | "tag" | "owner";
  id: number;
  /** Of a tag, as the filter spells it. */
  name: string;
  /** Of a data source. */
  catrn: string | null;
}

/** What the names $1, $2 and $3 stand for. */
const namedFilters = statement<FilterRow>("mcp-search-filters")`
  SELECT 'data_source' AS kind, id, name, catrn FROM data_source WHERE $1 IN (name, catrn)
   UNION ALL
  SELECT 'tag', t.id, w.name, NULL FROM unnest($2::text[]) AS w (name) JOIN tag t ON t.folded = name_key(w.name)
   UNION ALL
  SELECT 'owner', id, name, NULL FROM owner WHERE folded = (SELECT name_key($3::text))`;

/** Throws 400 for a name that nothing has: without it, a filter would be left out silently. */
function requireNamed(rows: FilterRow[], { data_source, tags = [], owner }: ToolInput): void {
  const has = (kind: FilterRow["kind"], name?: string) =>
    rows.some((row) => row.kind === kind && (name === undefined || row.name === name));
  if (data_source !== undefined && !has("data_source")) refuse("data_source", "data source");
  const unknown = tags.find((tag) => !has("tag", tag));
  if (unknown !== undefined) refuse("tags", `tag ${JSON.stringify(shownName(unknown))}`);
  if (owner !== undefined && !has("owner")) refuse("owner", "owner");
}

function refuse(field: string, what: string): never {
  const message = `there is no ${what} of this name; give its exact name, or search without it`;
  throw badRequest(`${field}: ${message}`, [{ field, message }]);
}

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
