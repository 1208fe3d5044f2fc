import type { IngestedMetricSetList } from "#contract/ingestion/others.ts";
import { bisectBatch } from "#kit/bisect.ts";
import { recordMetrics } from "#metadata/catalogue/metric-points.ts";
import { plannedEachTime, statement } from "#metadata/postgres/statement.ts";
import { isPoison } from "#platform/composed-source/batches.ts";
import { microsOf, quantile } from "../pairing/observations.ts";
import { callCatrn, type Subject, subjectCatrn, subjectKey } from "./subjects.ts";
import type { PublisherDeps } from "./deps.ts";

const minuteMs = 60_000;

/** Minutes over which calls are counted, the running one left out. */
const windowMinutes = 5;

/** Minutes of edges that are stored. */
const retainedMinutes = 60;

/** Most operations, and most services, that get figures at once: the busiest. */
const maxRows = 20_000;

/** Entities of one write. */
const batchSize = 1_000;

/** Minutes of edges deleted by one statement. */
const dropBatch = 10_000;

type MetricSet = IngestedMetricSetList["items"][number];

/**
 * Writes calls, errors and latencies of the last five whole minutes as metrics of services (label
 * `direction`: `served` or `made`) and of API calls, and drops minutes that nobody needs any more. An
 * entity without calls keeps the figures of when it last had some, with their time. Figures that cannot
 * be stored are left out.
 */
export async function writeStatistics(
  { db, clock, log, metrics }: Pick<PublisherDeps, "db" | "clock" | "log" | "metrics">,
) {
  const end = Math.floor(clock.now() / minuteMs) * minuteMs;
  const [from, to] = [new Date(end - windowMinutes * minuteMs), new Date(end)];
  const window = [from.toISOString(), to.toISOString(), maxRows];
  const served = await db.query(servedStatement, window);
  const made = await db.query(madeStatement, window);
  const items = [
    ...served.filter((row) => row.operation !== null).map((row) => ofCall(row, to)),
    ...ofServices(perService(served), made, to),
  ];
  for (let at = 0; at < items.length; at += batchSize) {
    await bisectBatch(items.slice(at, at + batchSize), {
      work: (batch) => recordMetrics(db, { items: batch }, end),
      isPoison,
      refuse({ catrn }, error) {
        metrics.failed("statistics");
        log.error("metrics of calls cannot be stored", { catrn, error });
        return Promise.resolve();
      },
    });
  }
  const before = new Date(end - retainedMinutes * minuteMs).toISOString();
  while ((await db.query(drop, [before, dropBatch])).length === dropBatch);
}

function ofCall(row: CallRow, at: Date): MetricSet {
  return { catrn: callCatrn(row, row.operation!), metric_families: families([[row, []]], at) };
}

type Labels = { name: string; value: string }[];

function ofServices(served: CallRow[], made: CallRow[], at: Date): MetricSet[] {
  const rows = new Map<string, { subject: Subject; samples: [CallRow, Labels][] }>();
  const add = (row: CallRow, direction: string) => {
    const key = subjectKey(row);
    const entry = rows.get(key) ?? { subject: row, samples: [] };
    entry.samples.push([row, [{ name: "direction", value: direction }]]);
    rows.set(key, entry);
  };
  for (const row of served) if (row.kind === "service") add(row, "served");
  for (const row of made) add(row, "made");
  return [...rows.values()].map(({ subject, samples }) => ({
    catrn: subjectCatrn(subject),
    metric_families: families(samples, at),
  }));
}

/** Adds the operations of each service up. */
function perService(rows: CallRow[]): CallRow[] {
  const sums = new Map<string, CallRow & { histogram: Map<number, number> }>();
  for (const row of rows) {
    const key = subjectKey(row);
    const sum = sums.get(key) ?? { ...row, calls: 0, errors: 0, histogram: new Map() };
    sum.calls += row.calls;
    sum.errors += row.errors;
    row.buckets.forEach((bucket, i) =>
      sum.histogram.set(bucket, (sum.histogram.get(bucket) ?? 0) + row.counts[i]!)
    );
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ histogram, ...row }) => {
    const sorted = [...histogram].sort(([a], [b]) => a - b);
    return { ...row, buckets: sorted.map(([b]) => b), counts: sorted.map(([, n]) => n) };
  });
}

function families(samples: [CallRow, Labels][], at: Date): MetricSet["metric_families"] {
  const timestamp = at.toISOString();
  const gauge = (value: number) => [{ timestamp, gauge_value: { value } }];
  const summary = (row: CallRow) => [{ timestamp, summary_value: summaryOf(row) }];
  const series = (points: (row: CallRow) => ReturnType<typeof gauge | typeof summary>) =>
    samples.map(([row, labels]) => ({ labels, metric_points: points(row) }));
  const over = `in the last ${windowMinutes} minutes`;
  return [
    {
      name: "calls",
      type: "GAUGE",
      unit: "calls",
      help: `Calls ${over}`,
      metrics: series((row) => gauge(row.calls)),
    },
    {
      name: "errors",
      type: "GAUGE",
      unit: "calls",
      help: `Calls that failed ${over}`,
      metrics: series((row) => gauge(row.errors)),
    },
    {
      name: "duration",
      type: "SUMMARY",
      unit: "seconds",
      help: `Duration of calls ${over}`,
      metrics: series(summary),
    },
  ];
}

function summaryOf({ buckets, counts }: CallRow) {
  const seconds = (micros: number) => Number((micros / 1_000_000).toPrecision(3));
  const count = counts.reduce((sum, n) => sum + n, 0);
  const sum = buckets.reduce((total, bucket, i) => total + microsOf(bucket) * counts[i]!, 0);
  return {
    count,
    sum: seconds(sum),
    quantile: [0.5, 0.95, 0.99].flatMap((q) => {
      const value = quantile(buckets, counts, q);
      return value === null ? [] : [{ quantile: q, value: seconds(value) }];
    }),
  };
}

/** Calls of one operation, or of one service, within a span of time. */
type CallRow = Subject & {
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

/** What operations were called between $1 and $2; the $3 busiest. */
const servedStatement = plannedEachTime<CallRow>("service-calls-served")`${
  statistics(`
  peer_kind AS kind, peer_namespace AS namespace, peer_name AS name, operation`)
}`;
/** What services called, read, wrote, sent and received themselves; likewise. */
const madeStatement = plannedEachTime<CallRow>("service-calls-made")`${
  statistics(`
  'service'::text AS kind, service_namespace AS namespace, service_name AS name,
  NULL::text AS operation`)
}`;

/** Deletes at most $2 minutes of edges that are older than $1. */
const drop = statement("service-windows-drop")`
  WITH old AS (
    SELECT edge_id, at FROM service_edge_window WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
  DELETE FROM service_edge_window w USING old
   WHERE w.edge_id = old.edge_id AND w.at = old.at RETURNING 1`;
