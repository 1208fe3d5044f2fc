import { ask } from "#web/api/client.ts";
import { type ApiDiff, fromDiffs } from "#web/graph/compared.ts";
import type { Side } from "#web/features/lineage/address.ts";
import { pieceOf } from "#web/features/lineage/sides.ts";
import type { Piece } from "#web/features/lineage/fragments.ts";

const paths = {
  upstream: "/api/dataentities/{data_entity_id}/lineage/upstream/diff",
  downstream: "/api/dataentities/{data_entity_id}/lineage/downstream/diff",
} as const;

/** What became of some sides of an entity between a time and now, with the oldest position and what ended the walk. */
export async function comparisonOf(
  id: number,
  sides: readonly Side[],
  query: { from: string; include_same: boolean; lineage_depth: number },
  signal: AbortSignal,
): Promise<Piece> {
  const params = { path: { data_entity_id: id }, query };
  const answers = await Promise.all(sides.map((of) => ask("get", paths[of], { params, signal })));
  const pieces = answers.map(({ headers }) => pieceOf(null, headers));
  return {
    loaded: fromDiffs(...answers.map(({ data }) => data as ApiDiff)),
    position: Math.min(...pieces.map(({ position }) => position ?? 0)),
    truncated: pieces.find(({ truncated }) => truncated)?.truncated ?? null,
  };
}
