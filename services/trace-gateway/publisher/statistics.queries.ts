import type { Queryable } from "#metadata/postgres/database.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import type { Subject } from "./names.ts";

/** Calls of one operation, or of one service, within a span of time. */
export type CallRow = Subject & {
  /** Null: all that the service itself does, as a caller or with data. */
  operation: string | null;
  calls: number;
  errors: number;
  /** As `service_edge_window` has them. */
  buckets: number[];
  counts: number[];
};

const within = `
  SELECT e.kind AS edge_kind, e.service_namespace, e.service_name, e.peer_kind, e.peer_namespace,
         e.peer_name, e.operation, w.calls, w.errors, w.buckets, w.counts
    FROM service_edge_window w JOIN service_edge e ON e.id = w.edge_id
   WHERE w.at >= $1 AND w.at < $2`;

// Buckets are summed separately from calls, or each call would count once for every bucket.
const statistics = (subject: string) => `
  WITH seen AS MATERIALIZED (SELECT ${subject}, calls, errors, buckets, counts
                               FROM (${within}) w),
  totals AS (
    SELECT kind, namespace, name, operation, sum(calls)::bigint AS calls,
           sum(errors)::bigint AS errors
      FROM seen WHERE name IS NOT NULL GROUP BY kind, namespace, name, operation
     ORDER BY 5 DESC, 3, 2, 4 LIMIT $3),
  histograms AS (
    SELECT kind, namespace, name, operation, b.bucket, sum(b.count)::bigint AS count
      FROM seen CROSS JOIN LATERAL unnest(buckets, counts) AS b (bucket, count)
     WHERE name IS NOT NULL GROUP BY kind, namespace, name, operation, b.bucket)
  SELECT t.*, coalesce(array_agg(h.bucket::int ORDER BY h.bucket) FILTER (WHERE h.bucket IS NOT NULL),
                       '{}') AS buckets,
         coalesce(array_agg(h.count::float8 ORDER BY h.bucket) FILTER (WHERE h.bucket IS NOT NULL),
                  '{}') AS counts
    FROM totals t LEFT JOIN histograms h
      ON h.kind = t.kind AND h.name = t.name AND h.namespace IS NOT DISTINCT FROM t.namespace
     AND h.operation IS NOT DISTINCT FROM t.operation
   GROUP BY t.kind, t.namespace, t.name, t.operation, t.calls, t.errors`;

const served = plannedEachTime<CallRow>("service-calls-served")`${
  statistics(`
  peer_kind AS kind, peer_namespace AS namespace, peer_name AS name, operation`)
}`;
const made = plannedEachTime<CallRow>("service-calls-made")`${
  statistics(`
  'service'::text AS kind, service_namespace AS namespace, service_name AS name,
  NULL::text AS operation`)
}`;

/** What operations were called between two times; the `limit` busiest. */
export function servedCalls(db: Queryable, from: Date, to: Date, limit: number) {
  return db.query(served, [from.toISOString(), to.toISOString(), limit]);
}

/** What services called, read, wrote, sent and received themselves; the `limit` busiest. */
export function madeCalls(db: Queryable, from: Date, to: Date, limit: number) {
  return db.query(made, [from.toISOString(), to.toISOString(), limit]);
}

const drop = statement("service-windows-drop")`
  WITH old AS (
    SELECT edge_id, at FROM service_edge_window WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
  DELETE FROM service_edge_window w USING old
   WHERE w.edge_id = old.edge_id AND w.at = old.at RETURNING 1`;

/** Deletes at most `limit` minutes of edges that are older than `before`; how many. */
export async function dropWindows(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(drop, [before.toISOString(), limit]);
  return rows.length;
}
