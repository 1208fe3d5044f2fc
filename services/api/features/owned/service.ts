// What the caller owns and its direct neighbours, for the `my` operations and the views of other
// families.
import type { Actor } from "#contract/actor.ts";
import type { PageWindow } from "#contract/http.ts";
import type { Direction, Walk } from "#graph/port.ts";
import { type JsonRow, plannedEachTime } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { endsOf, stillReached } from "#services/api/features/lineage/service.ts";
import { staleDays } from "#services/api/stale.ts";

/** A page of DataEntityRef[] of what the caller's owner owns; empty for a caller without an owner. */
export async function myObjects(context: Context, actor: Actor, page: PageWindow): Promise<string> {
  return await refs(context, await ownedEntities(context, actor), page);
}

/** A page of the entities one hop from what the caller owns, without the caller's own. */
export async function myNeighbours(
  context: Context,
  actor: Actor,
  direction: Direction,
  page: PageWindow,
): Promise<string> {
  return await refs(context, await ownedNeighbours(context, actor, direction), page);
}

/** Ids of the entities one hop from what the caller owns, without the caller's own. */
async function ownedNeighbours(context: Context, actor: Actor, direction: Direction) {
  return await neighboursOf(context, await ownedEntities(context, actor), direction);
}

async function neighboursOf(context: Context, own: number[], direction: Direction) {
  if (own.length === 0) return [];
  const near = await context.graph.neighbours(own, direction, context.config.lineage.timeout);
  const mine = new Set(own);
  return near.filter((id) => !mine.has(id));
}

/**
 * Ids of what the caller owns, and of everything upstream of it, without the caller's own; `truncated` names the budget that was
 * exceeded.
 */
export async function ownedAncestors(context: Context, actor: Actor) {
  const own = await ownedEntities(context, actor);
  if (own.length === 0) return { own, ids: [], truncated: undefined };
  const walk = await context.graph.walk({
    roots: own,
    direction: "upstream",
    depth: Number.MAX_SAFE_INTEGER,
    maxNodes: context.config.lineage["max-nodes"],
    timeoutMs: context.config.lineage.timeout,
  });
  const above = await visibleEnds(context, own, walk);
  for (const id of own) above.delete(id);
  return { own, ids: [...above], truncated: walk.truncated?.reason };
}

async function visibleEnds(context: Context, own: number[], walk: Walk): Promise<Set<number>> {
  const ends = endsOf(walk.edges);
  const rows = await context.db.query(visibleOf, [[...ends]]);
  const visible = new Set(rows.map((row) => row.id));
  const reach = { ends, roots: own, direction: "upstream", visible } as const;
  return endsOf(stillReached(walk.edges, reach));
}

/** Ids of the live entities that the caller's owner owns; none for a caller without an owner. */
export async function ownedEntities(context: Context, actor: Actor): Promise<number[]> {
  if (actor.name === null) return [];
  const rows = await context.db.query(ownedBy, [actor.name, actor.provider]);
  return rows.map((row) => row.id);
}

async function refs(context: Context, ids: number[], { limit, offset }: PageWindow) {
  if (ids.length === 0) return "[]";
  const rows = await context.db.query(refsOf, [ids, staleDays(context), limit, offset]);
  return `[${rows.map((row) => row.json).join(",")}]`;
}

/** $1 user name, $2 provider: ids of the live entities that the user's owner owns. */
const ownedBy = plannedEachTime<{ id: number }>("owned-entities")`
SELECT o.entity_id AS id FROM user_owner u JOIN ownership o ON o.owner_id = u.owner_id
  JOIN data_entity e ON e.id = o.entity_id AND is_live(e.status) AND NOT e.hollow
 WHERE u.username = $1 AND u.provider = $2 ORDER BY o.entity_id`;

/** $1 ids, $2 stale period in days, $3 limit, $4 offset: a page of DataEntityRef as JSON texts. */
const refsOf = plannedEachTime<JsonRow>("owned-refs")`
SELECT json_entity_ref(e, $2::int)::text AS json
  FROM data_entity e WHERE e.id = ANY ($1::bigint[]) AND is_live(e.status) AND NOT e.hollow
 ORDER BY e.id LIMIT $3 OFFSET $4`;

/** $1 ids: those that exist and are not deleted. */
const visibleOf = plannedEachTime<{ id: number }>("owned-visible")`
SELECT id FROM data_entity WHERE id = ANY ($1::bigint[]) AND is_live(status)`;

/** Views that select alerts or activity by the caller's ownership. */
export const ownerViews = ["ALL", "MY_OBJECTS", "DOWNSTREAM", "UPSTREAM"] as const;
export type OwnerView = (typeof ownerViews)[number];

/** Ids of the entities that the caller owns, and of those one hop downstream and one hop upstream. */
export type Sides = [own: number[], downstream: number[], upstream: number[]];

/** Ids of the entities that a view covers; null for all. */
export function entitiesOfView(
  context: Context,
  actor: Actor,
  view: OwnerView,
): Promise<number[] | null> {
  if (view === "ALL") return Promise.resolve(null);
  if (view === "MY_OBJECTS") return ownedEntities(context, actor);
  return ownedNeighbours(context, actor, view === "UPSTREAM" ? "upstream" : "downstream");
}

/**
 * The counts of all views (AlertCountInfo, ActivityCountInfo). `count` returns the total, and the
 * count within each of the sides in their order.
 */
export async function countOfViews(
  context: Context,
  actor: Actor,
  count: (within: Sides) => Promise<{ total: number; within: number[] }>,
) {
  const own = await ownedEntities(context, actor);
  const [downstream, upstream] = await Promise.all([
    neighboursOf(context, own, "downstream"),
    neighboursOf(context, own, "upstream"),
  ]);
  const { total, within } = await count([own, downstream, upstream]);
  return {
    total_count: total,
    my_objects_count: within[0],
    downstream_count: within[1],
    upstream_count: within[2],
  };
}
