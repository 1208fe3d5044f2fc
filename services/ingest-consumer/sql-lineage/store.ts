import { columnEdgeKinds } from "#contract/entities.ts";
import { bigints } from "#metadata/postgres/array-parameters.ts";
import type { Database, Transaction } from "#metadata/postgres/database.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";
import { statement } from "#metadata/postgres/statement.ts";
import { distinct, edgeColumns, type EdgeRow, nodesOf } from "../writes/columns.ts";
import type { SqlFacts } from "./facts.queries.ts";
import type { SqlEdge, SqlGap } from "./model.ts";
import { given, remembered, wanted } from "../writes/columns.queries.ts";

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
    const locked = await tx.query(lock, [[id], datasets]);
    const live = new Map(locked.map((row) => [row.id, row.live]));
    const there = datasets.every((dataset) => live.has(dataset));
    const still = there && await tx.query(unchanged, [id, fingerprint, declared]);
    if (!still || still.length === 0) return false;
    const rows = await rowsOf(tx, id, edges, live);
    await replaceEdges(tx, [id], rows);
    if (facts.sql === null) await tx.query(forget, [[id]]);
    else await tx.query(note, [id, fingerprint, outcome, rows.length, JSON.stringify(gaps)]);
    return true;
  });
}

/** Takes back what was read from the SQL of some entities; returns their number, 0 when none is left. */
export function withdraw(db: Database, max: number): Promise<number> {
  // change-ok -- as above
  return retryingTransaction(db, async (tx) => {
    const ids = (await tx.query(read, [max])).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.query(lock, [ids, []]);
    await replaceEdges(tx, ids, []);
    await tx.query(forget, [ids]);
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
  await tx.query(replace, [bigints(ids), ...edgeColumns(rows)]);
}

/** $1 entities, $2 datasets: locks them and the datasets of edges that were read from the entities' SQL. */
const lock = statement<{ id: number; live: boolean }>("sql-lineage-lock")`
  SELECT id, is_live(status) AS live FROM data_entity WHERE id = ANY(ARRAY(
     SELECT unnest($1::bigint[] || $2::bigint[])
     UNION SELECT source_dataset FROM column_edge WHERE establisher_id = ANY($1) AND origin = 1
     UNION SELECT target_dataset FROM column_edge WHERE establisher_id = ANY($1) AND origin = 1))
   ORDER BY id FOR NO KEY UPDATE`;

/** $1 entity, $2 fingerprint, $3 whether it declares edges: a row while all of it still holds. */
const unchanged = statement("sql-lineage-unchanged")`
  SELECT 1 FROM data_entity e
   WHERE e.id = $1 AND NOT e.hollow AND is_live(e.status)
     AND sql_fingerprint(e.id, e.content_hash) = $2
     AND $3 = EXISTS (SELECT FROM column_edge c WHERE c.establisher_id = e.id AND c.origin = 0)`;

/**
 * $1 entities: edges that were read from their SQL go to the history. $2… as `replace` of the edges that stay or come.
 * Followers of the catalogue are notified of changes as for a chunk of a batch, which brings the others.
 */
const replace = statement("sql-lineage-replace-edges")`
  WITH ${wanted},
   gone AS (
     DELETE FROM column_edge e
      WHERE e.establisher_id = ANY($1::bigint[]) AND e.origin = 1 AND NOT EXISTS (
       SELECT FROM wanted w WHERE w.establisher_id = e.establisher_id
         AND w.source_id = e.source_id AND w.target_id = e.target_id AND w.kind = e.kind)
     RETURNING *),
   ${remembered},
   come AS (
     INSERT INTO column_edge AS e (${given}, origin, since)
     SELECT ${given}, 1, statement_timestamp() FROM wanted
     ON CONFLICT (establisher_id, source_id, target_id, kind) DO UPDATE
       SET subtype = excluded.subtype
       WHERE e.origin = 1 AND e.subtype IS DISTINCT FROM excluded.subtype
     RETURNING e.establisher_id)
   INSERT INTO change (kind, source_id, details)
   SELECT 'ingestion', e.data_source_id, jsonb_build_object('position', lineage_head(), 'entities',
            jsonb_build_object('new', 0, 'changed', count(*), 'unchanged', 0, 'stale', 0))
     FROM data_entity e
    WHERE e.id IN (SELECT establisher_id FROM gone UNION SELECT establisher_id FROM come)
      AND e.data_source_id IS NOT NULL
    GROUP BY e.data_source_id`;

/** $1 entity, $2 fingerprint, $3 outcome, $4 edges, $5 gaps as JSON. */
const note = statement("sql-lineage-note")`
  INSERT INTO sql_reading AS r (entity_id, fingerprint, outcome, edges, gaps)
  VALUES ($1, $2, $3, $4, $5::jsonb)
  ON CONFLICT (entity_id) DO UPDATE
    SET fingerprint = excluded.fingerprint, outcome = excluded.outcome, edges = excluded.edges,
        gaps = excluded.gaps, attempts = 0, read_at = excluded.read_at`;

/** $1 entities: as if their SQL had not been read. */
const forget = statement("sql-lineage-forget")`
  DELETE FROM sql_reading WHERE entity_id = ANY($1::bigint[])`;

/** $1 limit: entities whose SQL was read. */
const read = statement<{ id: number }>("sql-lineage-read")`
  SELECT entity_id AS id FROM sql_reading ORDER BY entity_id LIMIT $1`;
