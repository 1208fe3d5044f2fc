import { z } from "@hono/zod-openapi";
import type { ColumnLineageAnswer } from "#contract/column-lineage.ts";
import { type JsonRow, statement } from "#metadata/postgres/statement.ts";
import { everything, shownCharacters } from "#services/api/mcp/limits.ts";
import {
  countable,
  countByType,
  levels,
  type Reach,
  reachedNodes,
  reachOf,
} from "#services/api/mcp/lineage.ts";
import { entityOf, type ResolvedEntity } from "#services/api/mcp/references.ts";
import {
  ByType,
  ColumnName,
  Entity,
  Ref,
  ShortEntity,
  shownName,
  start,
  Total,
  whole,
} from "#services/api/mcp/shapes.ts";
import { tool, type ToolContext } from "#services/api/mcp/tool.ts";

const nearest = 20;
const maxOwners = 50;

/** Who owns some entities, and how many alerts are open on them. */
interface ImpactSummary {
  open_alerts: number;
  /** Entities without an owner. */
  unowned: number;
  owners_total: number;
  owners: { name: string; count: number }[];
}

/** ImpactSummary of the entities $1, with at most $2 owners, those of the most first. */
const concernedBy = statement<JsonRow>("mcp-impact")`
  WITH owned AS MATERIALIZED (
    SELECT o.owner_id, count(DISTINCT o.entity_id) AS entities
      FROM ownership o WHERE o.entity_id = ANY ($1::bigint[]) GROUP BY o.owner_id)
  SELECT json_build_object(
      'open_alerts', (SELECT count(*) FROM alert WHERE status = 1 AND entity_id = ANY ($1::bigint[])),
      'unowned', cardinality($1::bigint[]) - (
        SELECT count(DISTINCT entity_id) FROM ownership WHERE entity_id = ANY ($1::bigint[])),
      'owners_total', (SELECT count(*) FROM owned),
      'owners', (SELECT coalesce(json_agg(json_build_object('name', most.name, 'count', most.entities)
                                          ORDER BY most.entities DESC, most.name), '[]')
                   FROM (SELECT ${start("w.name", shownCharacters.name)} AS name, o.entities
                           FROM owned o JOIN owner w ON w.id = o.owner_id
                          ORDER BY o.entities DESC, w.name LIMIT $2) most))::text AS json`;

type Lineage = z.output<typeof ColumnLineageAnswer>;

/**
 * Everything that is known to use a column: datasets with a column, or as a whole, that is made of it or on which it has
 * a role, and its establisher. What declares no columns is omitted. Throws 404 for an unknown column.
 */
async function reachOfColumn(
  { context, ask }: ToolContext,
  root: ResolvedEntity,
  column: string,
): Promise<Reach> {
  const { body, headers } = await ask.read("getDatasetColumnsDownstreamLineage", {
    params: { data_entity_id: String(root.id) },
    query: {
      column,
      lineage_depth: String(everything),
      include_indirect: "true",
      through_datasets: "true",
    },
  });
  const distances = distancesIn(body as Lineage);
  distances.delete(root.id);
  const rows = await reachedNodes(context.db, [...distances.keys()]);
  return {
    nodes: countable(new Map(rows.map((row) => [row.id, row])), distances),
    names: new Map(),
    complete: headers["X-Lineage-Truncated"] === undefined,
    position: Number(headers["X-Lineage-Position"]),
  };
}

/** Edges from the column to the nearest column of each dataset, and to what declares the edge there. */
function distancesIn(
  { root, columns, edges }: Lineage,
): Map<number, { distance: number; via: number[] }> {
  const datasets = new Map(columns.map((column) => [column.id, column.dataset_id]));
  const pairs = edges.map((edge) => [edge.source_id, edge.target_id] as const);
  const found = levels(pairs, root.columns, "downstream");
  const distances = new Map<number, { distance: number; via: number[] }>();
  const note = (entity: number, distance: number) => {
    const known = distances.get(entity);
    if (!known || known.distance > distance) distances.set(entity, { distance, via: [] });
  };
  for (const edge of edges) {
    const at = found.get(edge.target_id)?.distance;
    if (at === undefined || at === 0) continue;
    note(datasets.get(edge.target_id)!, at);
    for (const establisher of edge.establisher_ids) note(establisher, at);
  }
  return distances;
}

/** What a change of an entity affects, and whom to notify. */
export const impactOf = tool({
  name: "impact_of",
  title: "Impact of a change",
  description:
    "What depends on an entity, directly or not: how much by type, who owns it, how many alerts are open on it, and " +
    "the nearest dependants. Use it before something is changed or dropped.",
  input: z.strictObject({
    ref: Ref,
    column: ColumnName.optional().describe(
      "Only what is known to use this column of it, in a value, a filter or a join",
    ),
  }),
  output: z.object({
    root: Entity,
    column: z.string().nullable(),
    total: Total.describe("Everything downstream; of a column what is known to use it"),
    of_entity: Total.describe(
      "Everything downstream of the entity: those without column lineage may use the column too",
    ),
    by_type: ByType,
    open_alerts: Total.describe("Open alerts on what is downstream"),
    owners_total: Total,
    owners: z.array(z.object({ name: z.string(), count: Total })).describe(
      "Owners of what is downstream, with how many entities of it each has; the most first",
    ),
    unowned: Total.describe("Downstream entities without an owner"),
    nearest: z.array(ShortEntity.extend({ distance: z.number().int() })),
    ...whole,
  }),
  async answer({ ref, column }, context) {
    const known = await entityOf(context, "ref", ref);
    const question = { root: known, direction: "downstream", depth: everything } as const;
    const whole = await reachOf(context, question);
    const reach = column === undefined ? whole : await reachOfColumn(context, known, column);
    const { nodes, position } = reach;
    for (const id of ["getAlertsList", "getOwnerList"]) await context.ask.allowed(id);
    const ids = nodes.map(({ id }) => id);
    const [row] = await context.context.db.query(concernedBy, [ids, maxOwners]);
    const concerned = JSON.parse(row!.json) as ImpactSummary;
    const { hollow: _, ...root } = known;
    return {
      root,
      column: column ?? null,
      total: nodes.length,
      of_entity: whole.nodes.length,
      by_type: countByType(nodes),
      ...concerned,
      owners: concerned.owners.map(({ name, count }) => ({ name: shownName(name), count })),
      nearest: nodes.slice(0, nearest)
        .map(({ id, name, type, distance }) => ({ id, name, type, distance })),
      complete: reach.complete && whole.complete,
      position,
    };
  },
});
