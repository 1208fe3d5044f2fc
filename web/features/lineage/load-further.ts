import { ask, type Schema } from "#web/api/client.ts";
import type { Side } from "#web/features/lineage/address.ts";
import type { Piece } from "#web/features/lineage/fragments.ts";
import { neighboursOf, pieceOf } from "#web/features/lineage/sides.ts";
import type { ApiStream } from "#web/graph/answers.ts";
import {
  type ApiDiff,
  fromDiffs,
  fromNeighbours,
  fromStreams,
} from "#web/graph/further-answers.ts";

// Loaded when somebody goes on from a drawing, looks into a group, or compares with a time.

/** What is among the members of a group. */
export async function amongMembers(
  id: number,
  asOf: string | null,
  signal: AbortSignal,
): Promise<Piece> {
  const path = "/api/dataentitygroups/{data_entity_group_id}/lineage";
  const { data, headers } = await ask("get", path, {
    path: { data_entity_group_id: id },
    query: { as_of: asOf ?? undefined },
    signal,
  });
  return pieceOf(fromStreams(data.items as ApiStream[]), headers);
}

export async function between(id: number, to: number, signal: AbortSignal): Promise<Piece> {
  const path = "/api/dataentities/{data_entity_id}/lineage/paths";
  const { data, headers } = await ask("get", path, {
    path: { data_entity_id: id },
    query: { to },
    signal,
  });
  return pieceOf(fromStreams([data as ApiStream]), headers);
}

/** A page of the direct neighbours of a hub. */
export async function pageOf(
  id: number,
  side: Side,
  page: { page: number; size: number },
  signal: AbortSignal,
): Promise<Piece> {
  const data = await neighboursOf(id, side, page, signal);
  const items = await withDetails(data.items, signal);
  return { loaded: fromNeighbours(id, side, items), position: null, truncated: null };
}

/** Pages of neighbours tell neither type nor source; both decide which of them are drawn as one. */
async function withDetails(items: Schema<"DataEntityRef">[], signal: AbortSignal) {
  if (items.length === 0) return items;
  const query = { ids: items.map(({ id }) => id) };
  const { data } = await ask("get", "/api/dataentities/details", { query, signal });
  const details = new Map(data.items.map((item) => [item.id, item]));
  return items.map((item) => details.get(item.id) ?? item);
}

/** What became of some sides of an entity between a time and now, with the oldest position and what ended the walk. */
export async function comparisonOf(
  id: number,
  sides: readonly Side[],
  query: { from: string; include_same: boolean; lineage_depth: number },
  signal: AbortSignal,
): Promise<Piece> {
  const answers = await Promise.all(
    sides.map((of) => {
      const path = `/api/dataentities/{data_entity_id}/lineage/${of}/diff` as const;
      return ask("get", path, { path: { data_entity_id: id }, query, signal });
    }),
  );
  const pieces = answers.map(({ headers }) => pieceOf(null, headers));
  return {
    loaded: fromDiffs(...answers.map(({ data }) => data as ApiDiff)),
    position: Math.min(...pieces.map(({ position }) => position ?? 0)),
    truncated: pieces.find(({ truncated }) => truncated)?.truncated ?? null,
  };
}
