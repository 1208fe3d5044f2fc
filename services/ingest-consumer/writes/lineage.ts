import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Transaction } from "#metadata/postgres/database.ts";
import { byFreshness, type ChangeSet, type EntityChange } from "../change-set.ts";
import { declaredEdges } from "../edges.ts";
import { bigint, boolean, columns, run } from "../statement.ts";
import * as sql from "./lineage.queries.ts";

/**
 * Makes an entity's own edges exactly those it declares, even if it declares none. Every edge
 * touches its establisher, so the establishers identify all edges that changed.
 */
export async function writeLineage(tx: Transaction, set: ChangeSet): Promise<void> {
  const { fresh, known } = byFreshness(set);
  const added = declared(fresh, set);
  if (added.length > 0) await run(tx, sql.insert, parameters(added));
  for (const { establisher } of added) set.moved.add(establisher);
  if (known.length === 0) return;
  const ids = bigints(known.map(({ id }) => id));
  const wanted = parameters(declared(known, set));
  const moved = await run<{ id: number }>(tx, sql.replace, [ids, ...wanted]);
  for (const { id } of moved) set.moved.add(id);
}

interface Declared {
  establisher: number;
  parent: number;
  child: number;
  live: boolean;
}

function declared(changes: EntityChange[], set: ChangeSet): Declared[] {
  return changes.flatMap((change) =>
    declaredEdges(change.item).map((edge) => {
      const parent = set.idOf(edge.parent);
      const child = set.idOf(edge.child);
      const live = !set.isDeleted(parent) && !set.isDeleted(child);
      return { establisher: change.id, parent, child, live };
    })
  );
}

function parameters(edges: Declared[]): unknown[] {
  return columns(
    edges,
    bigint((edge) => edge.establisher),
    bigint((edge) => edge.parent),
    bigint((edge) => edge.child),
    boolean((edge) => edge.live),
  );
}
