import { ask } from "#web/api/client.ts";
import { type ApiDiff, fromDiffs } from "#web/graph/compared.ts";
import type { LineageFragment } from "#web/graph/answer.ts";
import type { Side } from "#web/features/lineage/address.ts";

const paths = {
  upstream: "/api/dataentities/{data_entity_id}/lineage/upstream/diff",
  downstream: "/api/dataentities/{data_entity_id}/lineage/downstream/diff",
} as const;

/** What became of some sides of an entity between a time and now. */
export async function compared(
  id: number,
  sides: readonly Side[],
  query: { from: string; include_same: boolean; lineage_depth: number },
  signal: AbortSignal,
): Promise<{ loaded: LineageFragment; headers: Headers[] }> {
  const params = { path: { data_entity_id: id }, query };
  const answers = await Promise.all(sides.map((of) => ask("get", paths[of], { params, signal })));
  return {
    loaded: fromDiffs(...answers.map(({ data }) => data as ApiDiff)),
    headers: answers.map(({ headers }) => headers),
  };
}
