import type { ColumnLineageAnswer } from "#contract/column-lineage.ts";
import type { z } from "@hono/zod-openapi";
import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { lineageOfColumns } from "#services/api/features/lineage/columns.ts";
import { distancesFrom, endsOf } from "#services/api/features/lineage/reach.ts";
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
  const pairs = edges.map((edge) => [edge.source_id, edge.target_id] as const);
  const distances = distancesFrom(pairs, root.columns, "downstream");
  const names = new Map(datasets.map((each) => [each.id, nameOf(each)]));
  return columns.flatMap(({ id, dataset_id, name }) => {
    const distance = distances.get(id) ?? 0;
    if (distance === 0 || name == null) return [];
    const dataset_name = names.get(dataset_id) ?? String(dataset_id);
    return [{ dataset_id, dataset_name, name, distance }];
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

/** A DataEntityType, or null for an entity whose type is not known. */
type TypeJson = { id: number; name: string } | null;

/** $1 ids. One row: what the visible ones of these entities are, whose they are, and how many have open alerts. */
const impactCounts = statement<{
  total: number;
  types: { type: TypeJson; total: number }[];
  owners: { id: number; name: string; total: number }[];
  unowned: number;
  open_alerts: number;
  with_open_alerts: number;
}>("lineage-impact-counts")`
WITH reached AS MATERIALIZED (
  SELECT e.id, e.type_id FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)
)
SELECT (SELECT count(*) FROM reached) AS total,
       coalesce((SELECT json_agg(json_build_object('type', json_type(t.type_id), 'total', t.total)
                                 ORDER BY t.total DESC, t.type_id)
                   FROM (SELECT type_id, count(*) AS total FROM reached GROUP BY type_id) t), '[]') AS types,
       coalesce((SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'total', c.total)
                                 ORDER BY c.total DESC, o.name)
                   FROM (SELECT s.owner_id, count(*) AS total
                           FROM reached r JOIN ownership s ON s.entity_id = r.id GROUP BY s.owner_id) c
                   JOIN owner o ON o.id = c.owner_id), '[]') AS owners,
       (SELECT count(*) FROM reached r
         WHERE NOT EXISTS (SELECT FROM ownership s WHERE s.entity_id = r.id)) AS unowned,
       (SELECT count(*) FROM alert a JOIN reached r ON r.id = a.entity_id WHERE a.status = 1) AS open_alerts,
       (SELECT count(*) FROM reached r
         WHERE EXISTS (SELECT FROM alert a WHERE a.entity_id = r.id AND a.status = 1)) AS with_open_alerts`;

/** $1 ids. Those of the visible ones that only consume data, such as dashboards, by name. */
const consumersAmong = statement<{ id: number; name: string; type: TypeJson }>(
  "lineage-impact-consumers",
)`
SELECT e.id, coalesce(e.internal_name, e.external_name, e.catrn) AS name, json_type(e.type_id) AS type
  FROM data_entity e
 WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)
   AND (SELECT id FROM entity_class WHERE name = 'DATA_CONSUMER') = ANY (e.class_ids)
 ORDER BY 2, 1`;
