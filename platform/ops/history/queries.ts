import type { Database } from "#metadata/postgres/database.ts";
import type { SlowStatement } from "#metadata/postgres/slow-statements.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** Hours that samples and slow statements are retained; a day of them is shown. */
const retainedHours = 25;

const addCountsStatement = statement("ops-sample-add")`
  INSERT INTO ops_sample (sampled_at, series, value)
  SELECT date_trunc('minute', now()), series, value FROM unnest($1::text[], $2::bigint[]) u (series, value) ORDER BY series
  ON CONFLICT (sampled_at, series) DO UPDATE SET value = ops_sample.value + excluded.value`;

/** Adds to what processes counted in this minute. */
export async function addCounts(db: Database, counts: Map<string, number>): Promise<void> {
  await db.query(addCountsStatement, [[...counts.keys()], [...counts.values()]]);
}

const setSamplesStatement = statement("ops-sample-set")`
  INSERT INTO ops_sample (sampled_at, series, value)
  SELECT date_trunc('minute', now()), series, value FROM unnest($1::text[], $2::bigint[]) u (series, value) ORDER BY series
  ON CONFLICT (sampled_at, series) DO UPDATE SET value = greatest(ops_sample.value, excluded.value)`;

/** Writes what was measured in this minute; of two measurements the higher one. */
export async function setSamples(db: Database, samples: Map<string, number>): Promise<void> {
  await db.query(setSamplesStatement, [[...samples.keys()], [...samples.values()]]);
}

const addSlowStatement = statement("slow-statement-add")`
  INSERT INTO slow_statement (hour, statement, calls, total_ms, max_ms)
  SELECT date_trunc('hour', now()), s, c, t, m
    FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) u (s, c, t, m) ORDER BY s
  ON CONFLICT (hour, statement) DO UPDATE
    SET calls = slow_statement.calls + excluded.calls,
        total_ms = slow_statement.total_ms + excluded.total_ms,
        max_ms = greatest(slow_statement.max_ms, excluded.max_ms)`;

/** Adds to the slow statements of this hour. */
export async function addSlowStatements(db: Database, found: SlowStatement[]): Promise<void> {
  await db.query(addSlowStatement, [
    found.map(({ statement }) => statement),
    found.map(({ calls }) => calls),
    found.map(({ totalMs }) => Math.round(totalMs)),
    found.map(({ maxMs }) => Math.round(maxMs)),
  ]);
}

const forget = statement<{ count: number }>("ops-sample-forget")`
  WITH gone AS (
    DELETE FROM ops_sample WHERE (sampled_at, series) IN (
      SELECT sampled_at, series FROM ops_sample
       WHERE sampled_at < $1::timestamptz - ${retainedHours} * interval '1 hour'
       ORDER BY sampled_at LIMIT $2)
    RETURNING 1),
  slow AS (
    DELETE FROM slow_statement WHERE (hour, statement) IN (
      SELECT hour, statement FROM slow_statement
       WHERE hour < $1::timestamptz - ${retainedHours} * interval '1 hour' ORDER BY hour LIMIT $2)
    RETURNING 1)
  SELECT greatest((SELECT count(*) FROM gone), (SELECT count(*) FROM slow)) AS count`;

/** Removes at most `max` samples, and as many slow statements, of more than a day ago; how many of the larger. */
export async function forgetHistory(db: Database, now: Date, max: number): Promise<number> {
  return (await db.query(forget, [now.toISOString(), max]))[0]!.count;
}
