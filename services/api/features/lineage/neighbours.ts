import type { PageWindow } from "#contract/http.ts";
import type { Direction } from "#graph/port.ts";
import { notFound } from "#kit/errors.ts";
import type { Context } from "#platform/context.ts";
import { neighboursOf } from "#services/api/features/lineage/queries.ts";
import { staleDays } from "#services/api/stale.ts";

export interface NeighboursQuestion {
  id: number;
  direction: Direction;
  /** Part of a name or CATRN, case-insensitive. */
  query: string | undefined;
  page: PageWindow;
}

/**
 * LineageNeighbourList as JSON text: a page of the direct neighbours of an entity in order of id,
 * the same order in which a lineage answer lists them. 404 for an unknown or deleted entity.
 */
export async function lineageNeighbours(
  context: Context,
  { id, direction, query, page }: NeighboursQuestion,
): Promise<string> {
  const stale = staleDays(context);
  const values = [id, direction === "downstream", query || null, page.limit, page.offset, stale];
  const rows = await context.db.query(neighboursOf, values);
  if (!rows[0]) throw notFound("data entity", id);
  return rows[0].json;
}
