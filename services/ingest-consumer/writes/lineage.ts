import type { Transaction } from "#metadata/postgres/database.ts";
import type { ChangeSet, EntityChange } from "../change-set.ts";
import { declaredEdges } from "../edges.ts";
import { bigint, boolean } from "../statement.ts";
import * as sql from "./lineage.queries.ts";
import { writeRows } from "./rows.ts";

interface DeclaredEdge {
  establisher: number;
  parent: number;
  child: number;
  live: boolean;
}

/**
 * Makes an entity's own edges exactly those it declares, even if it declares none. Every edge
 * touches its establisher, so the establishers identify all edges that changed.
 */
export async function writeLineage(tx: Transaction, set: ChangeSet): Promise<void> {
  const { added, replaced } = await writeRows<DeclaredEdge, { id: number }>(
    tx,
    set,
    sql,
    (changes) => declared(changes, set),
    bigint((edge) => edge.establisher),
    bigint((edge) => edge.parent),
    bigint((edge) => edge.child),
    boolean((edge) => edge.live),
  );
  for (const { establisher } of added) set.moved.add(establisher);
  for (const { id } of replaced) set.moved.add(id);
}

function declared(changes: EntityChange[], set: ChangeSet): DeclaredEdge[] {
  return changes.flatMap((change) =>
    declaredEdges(change.item).map((edge) => {
      const parent = set.idOf(edge.parent);
      const child = set.idOf(edge.child);
      const live = !set.isDeleted(parent) && !set.isDeleted(child);
      return { establisher: change.id, parent, child, live };
    })
  );
}
