import type { ColumnLineageAnswer } from "#contract/column-lineage.ts";
import type { z } from "@hono/zod-openapi";
import type { Context } from "#platform/context.ts";
import { lineageOfColumns } from "#services/api/features/lineage/columns.ts";
import { consumersAmong, impactCounts } from "#services/api/features/lineage/impact.queries.ts";
import { endsOf } from "#services/api/features/lineage/reach.ts";
import { snapshotOf } from "#services/api/features/lineage/snapshot.ts";

/** Walks end by their budgets, not by a number of edges. */
const everything = Number.MAX_SAFE_INTEGER;

/**
 * Impact of a change of an entity: what it feeds, directly or through others, by type and owner. With `column`, what is
 * made from that column, and what reads the datasets that it reaches. Headers say when a budget ended a walk. 404 for
 * an unknown or deleted entity, and for a column that it has not.
 */
export async function lineageImpact(context: Context, id: number, column?: string) {
  const { impact, headers } = column === undefined
    ? await ofEntity(context, id)
    : await ofColumn(context, id, column);
  const { reached, ...rest } = impact;
  const [counts] = await context.db.query(impactCounts, [[...reached]]);
  return { answer: { ...counts!, ...rest }, headers };
}

async function ofEntity(context: Context, id: number) {
  const question = { id, direction: "downstream" as const, depth: everything };
  const snapshot = snapshotOf(context);
  const { walk, roots } = await snapshot.walk(question);
  const reached = endsOf(walk.edges);
  for (const root of roots) reached.delete(root);
  return {
    impact: { reached, columns: null, consumers: null },
    headers: snapshot.headers(walk.position, walk.truncated?.reason),
  };
}

async function ofColumn(context: Context, id: number, column: string) {
  const { json, headers } = await lineageOfColumns(context, {
    dataset: id,
    direction: "downstream",
    depth: everything,
    columns: [],
    exact: [column],
    indirect: false,
    through: false,
  });
  const answer = JSON.parse(json) as z.infer<typeof ColumnLineageAnswer>;
  const columns = columnsReached(answer);
  const datasets = new Set([id, ...columns.map(({ dataset_id }) => dataset_id)]);
  const next = await context.graph.neighbours(
    [...datasets],
    "downstream",
    context.config.lineage.timeout,
  );
  const consumers = await context.db.query(consumersAmong, [next]);
  const reached = new Set([...datasets, ...consumers.map((each) => each.id)]);
  reached.delete(id);
  return { impact: { reached, columns, consumers }, headers };
}

/** Columns by how many edges they are from those where the question began, then as the service answers them. */
function columnsReached({ root, columns, datasets, edges }: z.infer<typeof ColumnLineageAnswer>) {
  const next = Map.groupBy(edges, ({ source_id }) => source_id);
  const distances = new Map(root.columns.map((start) => [start, 0]));
  // Iterating a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [at, distance] of distances) {
    for (const { target_id } of next.get(at) ?? []) {
      if (!distances.has(target_id)) distances.set(target_id, distance + 1);
    }
  }
  const names = new Map(datasets.map((each) => [each.id, nameOf(each)]));
  return columns.flatMap(({ id, dataset_id, name }) => {
    const distance = distances.get(id) ?? 0;
    if (distance === 0 || name == null) return [];
    return [{
      dataset_id,
      dataset_name: names.get(dataset_id) ?? String(dataset_id),
      name,
      distance,
    }];
  }).sort((a, b) => a.distance - b.distance);
}

function nameOf(
  { internal_name, external_name, catrn, id }: {
    id: number;
    catrn?: string | null;
    internal_name?: string | null;
    external_name?: string | null;
  },
): string {
  return internal_name || external_name || catrn || String(id);
}
