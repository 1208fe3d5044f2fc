import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { type ChangeSet, earlierIds } from "../change-set.ts";
import { declaredEdges } from "../edges.ts";
import { bigint, boolean, columns, run } from "../statement.ts";
import * as sql from "./lineage.queries.ts";

/**
 * Makes an entity's own edges exactly those it declares, even if it declares none. Every edge
 * touches its establisher, so the establishers identify all edges that changed.
 */
export async function writeLineage(tx: Transaction, set: ChangeSet): Promise<void> {
  const wanted = set.changes.flatMap((change) =>
    declaredEdges(change.item).map((edge) => {
      const parent = set.idOf(edge.parent);
      const child = set.idOf(edge.child);
      const live = !set.isDeleted(parent) && !set.isDeleted(child);
      return { establisher: change.id, parent, child, live };
    })
  );
  const earlier = earlierIds(set);
  if (wanted.length === 0 && earlier.length === 0) return;
  const moved = await run<{ id: number }>(tx, sql.replace, [
    bigints(earlier),
    ...columns(
      wanted,
      bigint((w) => w.establisher),
      bigint((w) => w.parent),
      bigint((w) => w.child),
      boolean((w) => w.live),
    ),
  ]);
  for (const { id } of moved) set.moved.add(id);
}
