import type { EdgePair } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime } from "#metadata/postgres/statement.ts";

const headOf = plannedEachTime<{ head: number }>("ops-lineage-head")`SELECT lineage_head() AS head`;

/** Last committed position of the outbox. */
export async function readHead(db: Database): Promise<number> {
  const [row] = await db.query(headOf);
  return row!.head;
}

type IdColumns = { parents: number[] | null; children: number[] | null };

const edgesAfter = plannedEachTime<IdColumns>("ops-edges-after")`
  SELECT parents, children FROM lineage_after($1, $2, $3)`;

/** All distinct live edges, in batches of at most `size`, ordered by (parent, child). */
export async function* liveEdges(db: Database, size: number): AsyncGenerator<EdgePair[]> {
  let last: EdgePair = [0, 0];
  for (;;) {
    const [row] = await db.query(edgesAfter, [...last, size]);
    const edges = pairs(row!.parents, row!.children);
    if (edges.length === 0) return;
    yield edges;
    if (edges.length < size) return;
    last = edges.at(-1)!;
  }
}

const edgesAmong = plannedEachTime<{ parent: number; child: number }>("ops-edges-among")`
  SELECT DISTINCT near AS parent, far AS child FROM lineage_touching($1, true)
   WHERE far = ANY ($1)`;

/** Distinct live edges with both ends among `ids`. */
export async function liveAmong(db: Database, ids: number[]): Promise<EdgePair[]> {
  const rows = await db.query(edgesAmong, [ids]);
  return rows.map(({ parent, child }) => [parent, child]);
}

/** Two columns of ids as pairs. */
export function pairs(parents: number[] | null, children: number[] | null): EdgePair[] {
  return (parents ?? []).map((parent, i) => [parent, children![i]!]);
}
