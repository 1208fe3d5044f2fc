import { sha256 } from "#kit/canonical.ts";
import { exactJson } from "#contract/ingestion/json.ts";
import type { IngestedMetricSetList, MetricPoint } from "#contract/ingestion/others.ts";
import { inBatches } from "#kit/event-loop.ts";
import type { Database, Queryable } from "#metadata/postgres/database.ts";
import { columnsOf, plannedEachTime } from "#metadata/postgres/statement.ts";
import { retryingTransaction } from "#metadata/postgres/retrying.ts";

interface Family {
  name: string;
  type: string;
  unit: string;
  help: string | null;
}

interface Series {
  catrn: string;
  family: Family;
  /** Sorted by name; JSON `[{name, value}]`. */
  labels: string;
  hash: string;
  point: string;
  /** RFC 3339, UTC, milliseconds. */
  time: string;
}

/** Series to process before yielding to the event loop. */
const batchSize = 2_000;

/**
 * Stores the latest point of each series (CATRN, family, labels). A point without a time gets `now`
 * (milliseconds since the epoch). The entity or field that the CATRN names need not exist yet.
 */
export async function recordMetrics(db: Database, list: IngestedMetricSetList, now: number) {
  const families = new Map<string, Family>();
  const latest = new Map<string, Series>();
  for await (const batch of inBatches(seriesOf(list, new Date(now).toISOString()), batchSize)) {
    for (const series of batch) {
      const familyKey = keyOf(series.family);
      families.set(familyKey, series.family);
      const key = JSON.stringify([series.catrn, familyKey, series.hash]);
      const existing = latest.get(key);
      if (!existing || existing.time <= series.time) latest.set(key, series);
    }
  }
  if (latest.size === 0) return;
  const inOrder = <T>(map: Map<string, T>) =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  await retryingTransaction(db, (tx) => writeFamilies(tx, inOrder(families)));
  await retryingTransaction(db, async (tx) => {
    for await (const batch of inBatches(inOrder(latest), batchSize)) await writeSeries(tx, batch);
  });
}

function keyOf({ name, type, unit }: Family): string {
  return JSON.stringify([name, type, unit]);
}

function* seriesOf(list: IngestedMetricSetList, now: string): Generator<Series> {
  for (const { catrn, metric_families } of list.items) {
    for (const { name, type, unit, help, metrics } of metric_families) {
      const family = { name, type, unit, help: help ?? null };
      for (const { labels, metric_points } of metrics) {
        const own = labelsOf(labels ?? []);
        const base = { catrn, family, ...own };
        for (const point of metric_points) yield { ...base, ...pointOf(point, now) };
      }
    }
  }
}

function labelsOf(labels: { name: string; value: string }[]) {
  const sorted = [...labels].sort((a, b) =>
    a.name === b.name ? (a.value < b.value ? -1 : 1) : a.name < b.name ? -1 : 1
  );
  const text = JSON.stringify(sorted.map(({ name, value }) => ({ name, value })));
  return { labels: text, hash: sha256(text) };
}

function pointOf(point: MetricPoint, now: string): { point: string; time: string } {
  const time = point.timestamp ?? now;
  return { point: exactJson({ ...point, timestamp: time }), time };
}

const putFamilies = plannedEachTime("metric-families-put")`
  INSERT INTO metric_family AS f (name, type, unit, description)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
  ON CONFLICT (name, type, unit) DO UPDATE SET description = excluded.description
  WHERE excluded.description IS NOT NULL
    AND f.description IS DISTINCT FROM excluded.description`;

async function writeFamilies(db: Queryable, families: Family[]): Promise<void> {
  await db.query(putFamilies, columnsOf(families, "name", "type", "unit", "help"));
}

const putSeries = plannedEachTime("metric-series-put")`
  INSERT INTO metric_series AS m (family_id, catrn, labels, labels_hash, point, point_time)
  SELECT f.id, s.catrn, s.labels::jsonb, decode(s.hash, 'hex'), s.point::jsonb,
         s.time::timestamptz
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                $8::text[]) AS s (name, type, unit, catrn, labels, hash, point, time)
    JOIN metric_family f ON f.name = s.name AND f.type = s.type AND f.unit = s.unit
  ON CONFLICT (catrn, family_id, labels_hash) DO UPDATE SET
    point = excluded.point, point_time = excluded.point_time
  WHERE excluded.point_time >= m.point_time`;

async function writeSeries(db: Queryable, series: Series[]): Promise<void> {
  const families = columnsOf(series.map(({ family }) => family), "name", "type", "unit");
  const values = columnsOf(series, "catrn", "labels", "hash", "point", "time");
  await db.query(putSeries, [...families, ...values]);
}
