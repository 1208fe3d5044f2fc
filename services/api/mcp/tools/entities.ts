import { z } from "@hono/zod-openapi";
import {
  bytesOf,
  Entity,
  fitSections,
  likePattern,
  type ListSection,
  NamePattern,
  Ref,
  shownDescription,
  shownName,
  shownText,
  Total,
} from "#services/api/mcp/shapes.ts";
import { maxAnswer, maxFields, maxRefs, shownCharacters } from "#services/api/mcp/limits.ts";
import {
  entityUrl,
  resolve,
  type ResolvedEntity,
  type Unknown,
} from "#services/api/mcp/references.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";
import {
  type SectionName,
  sectionNames,
  sectionOf,
  sqlOf,
  usageOf,
} from "#services/api/mcp/tools/entities.queries.ts";
import { RunShape } from "#services/api/mcp/tools/runs.ts";
import { bounded } from "#kit/text.ts";
import type { DataEntityBriefList } from "#contract/catalogue/entity.ts";

const included = [...sectionNames, "sql", "usage"] as const;

const input = z.strictObject({
  refs: z.array(Ref).min(1).max(maxRefs).describe(
    "Ids, CATRNs, exact names or qualified names (schema.table) of entities",
  ),
  include: z.array(z.enum(included)).max(included.length).optional().describe(
    "Additional sections; tests: data quality tests of a dataset",
  ),
  field_pattern: NamePattern.optional().describe(
    "With fields: only those whose name is like it; part of the name, or with * and ? all of it",
  ),
});
type ToolInput = z.output<typeof input>;

const listed = <T extends z.ZodType>(item: T, description?: string) =>
  z.object({ total: Total, items: z.array(item) }).optional().describe(
    description ?? "Fewer items than the total: the others were left out",
  );

const Item = Entity.extend({
  data_source: z.string().nullable(),
  status: z.string(),
  stale: z.boolean().describe("Not reported by a collector for days"),
  open_alerts: z.boolean(),
  last_ingested_at: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string(),
  fields: listed(
    z.object({
      name: z.string(),
      type: z.string(),
      logical_type: z.string().nullable(),
      nullable: z.boolean(),
      primary_key: z.boolean(),
      description: z.string().nullable(),
    }),
    `Columns, at most ${maxFields}; ask with field_pattern for others`,
  ),
  metadata: listed(z.object({ name: z.string(), value: z.string() })),
  runs: listed(
    RunShape,
    "The last runs of a job or test; get_runs returns others, and more of each",
  ),
  tests: listed(z.object({
    id: z.number().int(),
    name: z.string(),
    severity: z.string(),
    status: z.string().nullable(),
  })),
  terms: listed(z.object({ namespace: z.string(), name: z.string(), definition: z.string() })),
  owners: listed(z.object({
    name: z.string(),
    title: z.string().nullable(),
    external: z.boolean().describe("reported by the source; not set by a person"),
  })),
  usage: z.object({ reads: Total, since: z.string(), until: z.string() }).nullable().optional()
    .describe(
      "How often a dataset was read in its source between two moments, at least; null: its source counts no reads",
    ),
  sql: z.object({ text: z.string(), characters: Total }).nullable().optional().describe(
    "SQL of a transformer; shorter than `characters` when truncated",
  ),
});
type Item = z.output<typeof Item>;

/** How long texts of others are shown, by their member; texts of other members are ours. */
const lengths = new Map<string, (text: string) => string | null>([
  ["name", shownName],
  ["title", shownName],
  ["namespace", shownName],
  ["logical_type", shownName],
  ["description", shownDescription],
  ["reason", shownText],
  ["definition", shownText],
  ["value", shownText],
]);

/** An item of a list with the texts of others as long as they are shown. */
function clipped(item: unknown): unknown {
  const members = Object.entries(item as Record<string, unknown>).map(([name, value]) => {
    const shown = typeof value === "string" ? lengths.get(name)?.(value) ?? value : value;
    return [name, shown];
  });
  return Object.fromEntries(members);
}

/** What is known of some entities. */
export const getEntities = tool({
  name: "get_entities",
  title: "Entities in detail",
  description:
    `What the catalogue knows of at most ${maxRefs} entities: description, source, status and, on request, their columns, ` +
    "metadata, last runs, tests, SQL, terms, owners and usage. Give several refs at once.",
  input,
  output: z.object({
    items: z.array(Item),
    not_found: z.array(z.object({ ref: z.string(), reason: z.string() })),
  }),
  async answer(given, context) {
    const found = await resolve(context, given.refs);
    const known = found.flatMap((one) => "reason" in one ? [] : one.id);
    const not_found = given.refs.flatMap((ref, at) => missing(ref, found[at]!));
    const bases = known.length === 0 ? [] : await basesOf(context, [...new Set(known)]);
    const items = await withSections(context, given, bases);
    shrink(items, maxAnswer - bytesOf(not_found) - 200);
    return { items, not_found };
  },
});

function missing(ref: string | number, found: ResolvedEntity | Unknown) {
  const shown = shownName(String(ref));
  if ("reason" in found) return [{ ref: shown, reason: found.reason }];
  const reason = "only its CATRN is known: something names it, but nothing has described it yet";
  return found.hollow ? [{ ref: shown, reason }] : [];
}

async function basesOf({ context, ask }: ToolContext, ids: number[]): Promise<Item[]> {
  const { body } = await ask.read("getDataEntitiesByIds", { query: { ids: ids.map(String) } });
  return (body as z.output<typeof DataEntityBriefList>).items.map((brief): Item => ({
    id: brief.id,
    catrn: brief.catrn ?? "",
    name: shownName(brief.internal_name || brief.external_name || (brief.catrn ?? "")),
    type: brief.type?.name ?? null,
    data_source: brief.data_source ? shownName(brief.data_source.name) : null,
    status: brief.status.status,
    stale: brief.is_stale,
    open_alerts: brief.has_alerts ?? false,
    last_ingested_at: brief.last_ingested_at ?? null,
    description: shownText(brief.description ?? null),
    url: entityUrl(context, brief.id),
  }));
}

/** The operation that returns a section over HTTP: a caller who may not call it does not get the section. */
const operations: Record<SectionName | "sql" | "usage", string> = {
  fields: "getDataSetStructureLatest",
  metadata: "getDataEntityDetails",
  runs: "getRuns",
  tests: "getDataEntityDataQATests",
  terms: "getDataEntityDetails",
  owners: "getDataEntityDetails",
  sql: "getDataEntityDetails",
  usage: "getDataEntityDetails",
};
const parametersOf = (id: number) => ({ data_entity_id: String(id), dataset_id: String(id) });

async function withSections(
  { context, ask }: ToolContext,
  { include = [], field_pattern }: ToolInput,
  items: Item[],
): Promise<Item[]> {
  const ids = items.map(({ id }) => id);
  for (const section of new Set(include)) {
    for (const id of ids) await ask.allowed(operations[section], parametersOf(id));
  }
  if (ids.length === 0) return items;
  const like = field_pattern === undefined ? null : likePattern(field_pattern);
  const details = new Map<number, Partial<Item>>(ids.map((id) => [id, {}]));
  for (const section of sectionNames.filter((name) => include.includes(name))) {
    const rows = await sectionOf(context.db, section, ids, like);
    for (const [id, { total, items: each }] of rows) {
      Object.assign(details.get(id)!, { [section]: { total, items: each.map(clipped) } });
    }
  }
  if (include.includes("sql")) {
    const rows = new Map((await context.db.query(sqlOf, [ids])).map((row) => [row.id, row]));
    for (const id of ids) Object.assign(details.get(id)!, { sql: sqlShown(rows.get(id)) });
  }
  if (include.includes("usage")) {
    for (const { id, usage } of await context.db.query(usageOf, [ids])) {
      const { reads, since, until } = usage ?? {};
      Object.assign(details.get(id)!, { usage: usage && { reads, since, until } });
    }
  }
  return items.map((item) => ({ ...item, ...details.get(item.id) }));
}

function sqlShown(row: { sql: string; characters: number } | undefined) {
  return row ? { text: bounded(row.sql, shownCharacters.sql), characters: row.characters } : null;
}

/** Leaves items of lists out, then the ends of SQL texts, until the entities fit into `max` bytes. */
function shrink(items: Item[], max: number): void {
  const sections = items.flatMap((item) =>
    sectionNames.map((name) => item[name]).filter((
      section,
    ): section is ListSection & typeof section => !!section)
  );
  const lists = sections.reduce((sum, section) => sum + bytesOf(section.items) - 2, 0);
  const around = bytesOf(items) - lists;
  const texts = items.flatMap(({ sql }) => sql ? [sql] : []);
  if (around > max && texts.length > 0) {
    const without = around - texts.reduce((sum, sql) => sum + bytesOf(sql.text), 0);
    const each = Math.max(0, Math.floor((max - without) / texts.length / 3));
    for (const sql of texts) sql.text = bounded(sql.text, each);
  }
  fitSections(sections, max - (bytesOf(items) - lists));
}
