import type { Transaction } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { type ChangeSet, type EntityChange, writeRows } from "../change-set.ts";
import { declaredEdges } from "../posted-item.ts";
import { bigint, boolean } from "../statement.ts";

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
  const { added, replaced } = await writeRows(
    tx,
    set,
    { insert, replace },
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

/** $1 establishers without edges, $2 parents, $3 children, $4 live as posted. */
const insert = statement("ingest-insert-edges")`
  INSERT INTO lineage_edge (establisher_id, parent_id, child_id, live, since)
  SELECT DISTINCT w.*, statement_timestamp()
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[]) AS w`;

/**
 * $1 establishers with earlier rows; $2 establishers, $3 parents, $4 children, $5 live as posted.
 * Edges that are no longer declared go to the history. Returns the establishers whose edges changed.
 * Times are those of the statement, not of the transaction, which may have started (and waited for a
 * lock) before the interval that it closes; no interval ends before it began, though a clock was set back.
 */
const replace = statement<{ id: number }>("ingest-replace-edges")`
  WITH wanted AS (
     SELECT DISTINCT * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
       AS w (establisher_id, parent_id, child_id, live)),
   gone AS (
     DELETE FROM lineage_edge e WHERE e.establisher_id = ANY($1::bigint[]) AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.establisher_id = e.establisher_id
         AND w.parent_id = e.parent_id AND w.child_id = e.child_id)
     RETURNING establisher_id, parent_id, child_id, since),
   remembered AS (
     INSERT INTO lineage_edge_history (establisher_id, parent_id, child_id, since, until)
     SELECT establisher_id, parent_id, child_id, since, greatest(since, statement_timestamp())
       FROM gone),
   added AS (
     INSERT INTO lineage_edge (establisher_id, parent_id, child_id, live, since)
     SELECT establisher_id, parent_id, child_id, live, statement_timestamp() FROM wanted
     ON CONFLICT DO NOTHING
     RETURNING establisher_id)
   SELECT establisher_id AS id FROM gone UNION SELECT establisher_id FROM added`;
