import { entityTypes } from "#contract/entities.ts";
import type { Direction, EdgePair } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { endsOf, snapshotOf, stillReached } from "#services/api/features/lineage/service.ts";
import type { ResolvedEntity } from "#services/api/mcp/references.ts";
import { nameOf, shownName } from "#services/api/mcp/shapes.ts";
import type { ToolContext } from "#services/api/mcp/tool.ts";

/** An entity that a walk reached. */
export interface ReachedEntity {
  id: number;
  name: string;
  type: string | null;
  /** Edges of the shortest path from the root. */
  distance: number;
  /** Its neighbours on the shortest paths, one edge nearer to the root. */
  via: number[];
}

/** All that a walk reached but its root, the nearest first. */
export interface Reach {
  nodes: ReachedEntity[];
  /** Names by id, of the root too. */
  names: Map<number, string>;
  complete: boolean;
  position: number;
}

interface ReachQuestion {
  root: ResolvedEntity;
  direction: Direction;
  depth: number;
  /** The point in time; now when it is absent. */
  asOf?: string;
}

const operations = {
  upstream: "getDataEntityUpstreamLineage",
  downstream: "getDataEntityDownstreamLineage",
} as const;

/**
 * Everything on one side of an entity, with the budgets of a lineage question, in its turn and as its operation allows
 * it. Members of a group count as the group itself. Throws 404 for a deleted root.
 */
export async function reachOf(
  { context, lineage, ask }: ToolContext,
  { root, direction, depth, asOf }: ReachQuestion,
): Promise<Reach> {
  const { id } = root;
  await ask.allowed(operations[direction], { data_entity_id: String(id) });
  return await lineage.run(async () => {
    const snapshot = snapshotOf(context, asOf);
    const { walk, roots } = await snapshot.walk({ id, direction, depth });
    const ends = endsOf(walk.edges).add(id);
    const rows = await snapshot.read(nodesInTime, [[...ends]]);
    const known = new Map(rows.map((row) => [row.id, row]));
    if (!known.has(id)) throw notFound("data entity", id);
    const edges = stillReached(walk.edges, { ends, roots, direction, visible: known });
    const { truncated, position } = walk;
    return {
      nodes: countable(known, levels(edges, roots, direction)),
      names: new Map(rows.map((row) => [row.id, shownName(row.name)])),
      complete: truncated === undefined,
      position,
    };
  }, ask.actor);
}

const typeNames = new Map<number, string>(
  Object.entries(entityTypes).map(([name, { id }]) => [id, name]),
);

/** Those of the entities that are shown and not the root, the nearest first. */
export function countable(known: Map<number, NodeRow>, found: Map<number, Level>): ReachedEntity[] {
  const there = [...found].filter(([id, { distance }]) => distance > 0 && known.has(id));
  const nodes = there.map(([id, level]) => {
    const { name, type_id } = known.get(id)!;
    const type = typeNames.get(type_id ?? 0) ?? null;
    return { id, name: shownName(name), type, ...level };
  });
  return nodes.sort((a, b) => a.distance - b.distance || a.id - b.id);
}

interface Level {
  distance: number;
  via: number[];
}

/** How far each entity is from the roots along edges of a direction, and by which neighbours. */
export function levels(
  edges: readonly EdgePair[],
  roots: Iterable<number>,
  direction: Direction,
): Map<number, Level> {
  const [near, far] = direction === "downstream" ? [0, 1] as const : [1, 0] as const;
  const onward = Map.groupBy(edges, (edge) => edge[near]);
  const found = new Map<number, Level>([...roots].map((id) => [id, { distance: 0, via: [] }]));
  // Iterating a map includes entries added meanwhile, which makes this a breadth-first search.
  for (const [id, { distance }] of found) {
    for (const edge of onward.get(id) ?? []) {
      const there = found.get(edge[far]);
      if (!there) found.set(edge[far], { distance: distance + 1, via: [id] });
      else if (there.distance === distance + 1) there.via.push(id);
    }
  }
  return found;
}

/** How many there are of each type, the most first; those of no type are `UNKNOWN`. */
export function countByType(nodes: readonly Pick<ReachedEntity, "type">[]): Record<string, number> {
  const counts = [...Map.groupBy(nodes, ({ type }) => type ?? "UNKNOWN")]
    .map(([type, alike]) => [type, alike.length] as const);
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a));
}

/** A visible entity. */
interface NodeRow {
  id: number;
  name: string;
  type_id: number | null;
}

const nodesStatement = statement<NodeRow>("mcp-lineage-nodes")`
  SELECT e.id, ${nameOf("e")} AS name, e.type_id
    FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status)`;

/** Those of the entities that are shown. */
export function reachedNodes(db: Queryable, ids: number[]): Promise<NodeRow[]> {
  return db.query(nodesStatement, [ids]);
}

const gone = "g.entity_id IS NOT NULL AND (e.id IS NULL OR e.hollow)";
const nodesAsOf = statement<NodeRow>("mcp-lineage-nodes-then")`
  WITH reached AS (SELECT DISTINCT unnest($1::bigint[]) AS id),
  grave AS MATERIALIZED (
    SELECT DISTINCT ON (t.entity_id) t.* FROM entity_tombstone t JOIN reached r ON r.id = t.entity_id
     WHERE t.purged_at > $2::timestamptz ORDER BY t.entity_id, t.purged_at)
  SELECT r.id, CASE WHEN ${gone} THEN ${nameOf("g")} ELSE ${nameOf("e")} END AS name,
         CASE WHEN ${gone} THEN g.type_id ELSE e.type_id END AS type_id
    FROM reached r LEFT JOIN data_entity e USING (id) LEFT JOIN grave g ON g.entity_id = r.id
   WHERE e.id IS NOT NULL OR g.entity_id IS NOT NULL`;

/** Those of the entities that are shown; as of a time what they are called, and those that are purged as they were called then. */
const nodesInTime = { now: nodesStatement, at: nodesAsOf };
