import type { Direction } from "#graph/port.ts";
import type { Context } from "#platform/context.ts";
import type { Caller } from "#platform/http/caller.ts";
import { ownedBy, refsOf } from "#services/api/features/lineage/queries.ts";

interface Page {
  limit: number;
  offset: number;
}

/** A page of DataEntityRef[] of what the caller's owner owns; empty without a bound owner. */
export async function myObjects(context: Context, caller: Caller, page: Page): Promise<string> {
  return await refs(context, await owned(context, caller), page);
}

/** A page of the entities one hop from what the caller owns, the caller's own left out. */
export async function myNeighbours(
  context: Context,
  caller: Caller,
  direction: Direction,
  page: Page,
): Promise<string> {
  const own = await owned(context, caller);
  if (own.length === 0) return "[]";
  const near = await context.graph.neighbours(own, direction, context.config.lineage.timeout);
  const mine = new Set(own);
  return await refs(context, near.filter((id) => !mine.has(id)), page);
}

async function owned(context: Context, caller: Caller): Promise<number[]> {
  if (caller.username === null) return [];
  const values = [caller.username, caller.provider];
  return (await context.db.query<{ id: number }>(ownedBy, values)).map((row) => row.id);
}

async function refs(context: Context, ids: number[], page: Page): Promise<string> {
  if (ids.length === 0) return "[]";
  const stale = context.config.catalog["data-entity-stale-period"];
  const rows = await context.db.query<{ json: string }>(refsOf, [
    ids,
    stale,
    page.limit,
    page.offset,
  ]);
  return `[${rows.map((row) => row.json).join(",")}]`;
}
