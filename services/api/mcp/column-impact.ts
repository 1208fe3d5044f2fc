import type { z } from "@hono/zod-openapi";
import type { ColumnLineageAnswer } from "#contract/column-lineage.ts";
import { everything } from "#services/api/mcp/limits.ts";
import { countable, levels, type Reach } from "#services/api/mcp/lineage.ts";
import { reachedNodes } from "#services/api/mcp/lineage.queries.ts";
import type { ResolvedEntity } from "#services/api/mcp/references.ts";
import type { ToolContext } from "#services/api/mcp/tool.ts";

type Lineage = z.output<typeof ColumnLineageAnswer>;

/**
 * Everything that is known to use a column: datasets with a column, or as a whole, that is made of it or on which it has
 * a role, and its establisher. What declares no columns is omitted. Throws 404 for an unknown column.
 */
export async function reachOfColumn(
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
