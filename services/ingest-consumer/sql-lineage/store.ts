import { columnEdgeKinds } from "#contract/entities.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { distinct, edgeColumns, type EdgeRow, nodesOf } from "../writes/columns.ts";
import type { SqlFacts } from "./facts.queries.ts";
import type { SqlEdge, SqlGap } from "./model.ts";
import * as sql from "./store.queries.ts";

/** The lineage found in the SQL of an entity. */
export interface Outcome {
  edges: SqlEdge[];
  /** A short word, kept next to it. */
  outcome: string;
  /** What of it could not be traced. */
  gaps: SqlGap[];
}

/**
 * Makes the column edges of an entity that come from its SQL exactly these, and notes what it was read with. False
 * when any of that has changed since: nothing is done, and the entity is still due.
 */
export function store(
  db: Database,
  facts: SqlFacts,
  { edges, outcome, gaps }: Outcome,
): Promise<boolean> {
  const { id, fingerprint, declared } = facts;
  const datasets = [...new Set(edges.flatMap((e) => [e.source.dataset, e.target.dataset]))];
  // change-ok -- what it writes follows from what others have changed
  return retryingTransaction(db, async (tx) => {
    const locked = await tx.query(sql.lock, [[id], datasets]);
    const live = new Map(locked.map((row) => [row.id, row.live]));
    const there = datasets.every((dataset) => live.has(dataset));
    const still = there && await tx.query(sql.unchanged, [id, fingerprint, declared]);
    if (!still || still.length === 0) return false;
    const rows = await rowsOf(tx, id, edges, live);
    await replaceEdges(tx, [id], rows);
    if (facts.sql === null) await tx.query(sql.forget, [[id]]);
    else await tx.query(sql.note, [id, fingerprint, outcome, rows.length, JSON.stringify(gaps)]);
    return true;
  });
}

/** Takes back what was read from the SQL of some entities; returns their number, 0 when none is left. */
export function withdraw(db: Database, max: number): Promise<number> {
  // change-ok -- as above
  return retryingTransaction(db, async (tx) => {
    const ids = (await tx.query(sql.read, [max])).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.query(sql.lock, [ids, []]);
    await replaceEdges(tx, ids, []);
    await tx.query(sql.forget, [ids]);
    return ids.length;
  });
}

async function rowsOf(
  tx: Transaction,
  establisher: number,
  edges: SqlEdge[],
  live: Map<number, boolean>,
): Promise<EdgeRow[]> {
  const nodeOf = await nodesOf(tx, edges);
  return distinct(edges.map((edge) => ({
    establisher,
    from: nodeOf(edge.source),
    to: nodeOf(edge.target),
    kind: columnEdgeKinds.indexOf(edge.kind),
    source: edge.source,
    target: edge.target,
    properties: edge,
    live: live.get(edge.source.dataset)! && live.get(edge.target.dataset)!,
  })));
}

async function replaceEdges(tx: Transaction, ids: number[], rows: EdgeRow[]): Promise<void> {
  await tx.query(sql.replace, [bigints(ids), ...edgeColumns(rows)]);
}
