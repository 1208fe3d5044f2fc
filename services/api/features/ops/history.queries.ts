import type { Queryable } from "#metadata/postgres/database.ts";
import { statement } from "#metadata/postgres/statement.ts";

/** The period that is shown: seconds in all, and between two values. */
export const periodSeconds = 24 * 3_600;
export const stepSeconds = 15 * 60;
export const steps = periodSeconds / stepSeconds;

/** What happened in a step; `step` is counted from the first. */
export interface BatchStep {
  step: number;
  batches: number;
  items: number;
  refused_batches: number;
  refused_items: number;
}

/** SQL of the step that a time lies in; `$1` is when the first one begins. */
const stepOf = (at: string) =>
  `floor(extract(epoch FROM ${at} - $1::timestamptz) / ${stepSeconds})::integer`;
const within = (at: string) =>
  `${at} >= $1::timestamptz AND ${at} < $1::timestamptz + ${periodSeconds} * interval '1 second'`;

const batches = statement<BatchStep>("ops-history-batches")`
  SELECT ${stepOf("applied_at")} AS step,
         count(*) FILTER (WHERE outcome = 'applied' AND part = 0) AS batches,
         coalesce(sum(items), 0)::bigint AS items,
         count(*) FILTER (WHERE outcome = 'refused') AS refused_batches,
         coalesce(sum((detail ->> 'left_out')::bigint) FILTER (WHERE outcome = 'applied'), 0)::bigint AS refused_items
    FROM applied_batch WHERE ${within("applied_at")} GROUP BY 1`;

/** Steps in which batches were applied or refused; `from` is RFC 3339. */
export function readBatchSteps(db: Queryable, from: string): Promise<BatchStep[]> {
  return db.query(batches, [from]);
}

/** What became of deliveries of a channel in a step. */
export interface DeliveryStep {
  step: number;
  channel: string;
  delivered: number;
  failed: number;
}

const deliveries = statement<DeliveryStep>("ops-history-deliveries")`
  SELECT ${stepOf("ended_at")} AS step, channel,
         count(*) FILTER (WHERE state = 'delivered') AS delivered,
         count(*) FILTER (WHERE state = 'failed') AS failed
    FROM delivery
   WHERE ended_at IS NOT NULL AND state IN ('delivered', 'failed') AND ${within("ended_at")}
   GROUP BY 1, 2`;

/** Steps in which deliveries ended; `from` is RFC 3339. */
export function readDeliverySteps(db: Queryable, from: string): Promise<DeliveryStep[]> {
  return db.query(deliveries, [from]);
}

/** Connection runs that failed in a step. */
export interface FailedRunStep {
  step: number;
  failed: number;
}

const failedRuns = statement<FailedRunStep>("ops-history-failed-runs")`
  SELECT ${stepOf("finished_at")} AS step, count(*) AS failed
    FROM connection_run
   WHERE state = 'FAILED' AND kind = 'RUN' AND ${within("finished_at")} GROUP BY 1`;

/** Steps in which runs of connections failed; `from` is RFC 3339. */
export function readFailedRunSteps(db: Queryable, from: string): Promise<FailedRunStep[]> {
  return db.query(failedRuns, [from]);
}

/** The samples of a series in a step. `step` is -1 for the last one before the first step. */
export interface SampleStep {
  series: string;
  step: number;
  /** Of all samples of the step. */
  sum: number;
  max: number;
}

const samples = statement<SampleStep>("ops-history-samples")`
  SELECT series, greatest(-1, ${
  stepOf("sampled_at")
}) AS step, sum(value)::bigint AS sum, max(value) AS max
    FROM ops_sample
   WHERE sampled_at >= $1::timestamptz - ${stepSeconds} * interval '1 second'
     AND sampled_at < $1::timestamptz + ${periodSeconds} * interval '1 second'
   GROUP BY 1, 2`;

/** Steps in which something was sampled, and the quarter of an hour before; `from` is RFC 3339. */
export function readSampleSteps(db: Queryable, from: string): Promise<SampleStep[]> {
  return db.query(samples, [from]);
}

/** How a consumer stood over some minutes. */
export interface RecentSamples {
  series: string;
  least: number;
  most: number;
  count: number;
}

const recent = statement<RecentSamples>("ops-recent-samples")`
  SELECT series, min(value) AS least, max(value) AS most, count(*) AS count
    FROM ops_sample WHERE sampled_at > now() - $1 * interval '1 minute' GROUP BY series`;

/** The samples of the last minutes, by series. */
export function readRecentSamples(db: Queryable, minutes: number): Promise<RecentSamples[]> {
  return db.query(recent, [minutes]);
}

export interface SlowStatementRow {
  statement: string;
  calls: number;
  total_ms: number;
  max_ms: number;
  /** The hour in which it was last slow. */
  last_hour: string;
}

const slow = statement<SlowStatementRow>("ops-slow-statements")`
  SELECT statement, sum(calls)::bigint AS calls, sum(total_ms)::bigint AS total_ms, max(max_ms) AS max_ms,
         iso(max(hour)) AS last_hour
    FROM slow_statement WHERE hour > now() - ${periodSeconds} * interval '1 second'
   GROUP BY statement ORDER BY 3 DESC, 1 LIMIT $1`;

/** Slow statements of the last day, those that took the most time in all first. */
export function readSlowStatements(db: Queryable, max: number): Promise<SlowStatementRow[]> {
  return db.query(slow, [max]);
}
