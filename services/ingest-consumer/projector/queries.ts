import type { GraphBatch } from "#graph/port.ts";
import type { Database } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import { pairs } from "#platform/ops/edges.ts";

/** The next work of the projector. */
export interface OutboxBatch {
  /** Null when the outbox has nothing new. */
  batch: GraphBatch | null;
  /** Last committed position; 0 before the first. */
  head: number;
  /** Oldest position still in the outbox; null when it is empty. */
  oldest: number | null;
}

interface BatchRow extends Record<string, unknown> {
  head: number;
  oldest: number | null;
  upto: number | null;
  ids: number[] | null;
  parents: number[] | null;
  children: number[] | null;
}

const nextBatch = statement<BatchRow>("lineage_batch")`
  SELECT head, oldest, upto, ids, parents, children FROM lineage_batch($1, $2)`;

/** About `maxEntities` entities after `position`, with their current live edges. */
export async function readBatch(
  db: Database,
  position: number,
  maxEntities: number,
): Promise<OutboxBatch> {
  const [row] = await db.query(nextBatch, [position, maxEntities]);
  const { head, oldest } = row!;
  if (row!.upto === null) return { batch: null, head, oldest };
  const edges = pairs(row!.parents, row!.children);
  return { batch: { position: row!.upto, entities: row!.ids ?? [], edges }, head, oldest };
}

const estimated = plannedEachTime<{ estimate: number }>("projector-edges-estimate")`
  SELECT greatest(reltuples, 0)::bigint AS estimate FROM pg_class WHERE relname = 'lineage_edge'`;

/** The planner's estimate of the number of live edges; for progress display only. */
export async function estimateEdges(db: Database): Promise<number> {
  const [row] = await db.query(estimated);
  return row!.estimate;
}

/** Name of the lease held by the one process that writes to the graph. */
export const projectorLease = "graph-projector";

const report = statement("projection_status")`
  WITH status AS (
    INSERT INTO projection_status (position, state, seen_at)
    SELECT $1, $2, now() FROM lease WHERE name = $3 AND holder = $4
    ON CONFLICT (one) DO UPDATE
      SET position = excluded.position, state = excluded.state, seen_at = excluded.seen_at
    RETURNING position)
  SELECT pg_notify('projection', position::text) FROM status`;

/**
 * Stores the graph's position and wakes requests that wait for it. Only the leaseholder may do so: a
 * process that was suspended beyond its lease would report an old position.
 */
export async function writeStatus(
  db: Database,
  holder: string,
  { position, state }: { position: number; state: string },
): Promise<void> {
  await db.query(report, [position, state, projectorLease, holder]);
}

const traces = plannedEachTime<{ traceparent: string }>("projector-traces")`
  SELECT DISTINCT traceparent FROM lineage_outbox
   WHERE position > $1 AND position <= $2 AND traceparent IS NOT NULL LIMIT 16`;

/** Some of the traces that changed lineage after `from`, up to and including `to`. */
export async function tracesBetween(db: Database, from: number, to: number): Promise<string[]> {
  const rows = await db.query(traces, [from, to]);
  return rows.map((row) => row.traceparent);
}
