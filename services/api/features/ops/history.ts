import { statement } from "#metadata/postgres/statement.ts";
import type { Context } from "#platform/context.ts";
import { CachedProbe, type ProbeResult } from "#platform/ops/cached-probe.ts";
import {
  deadLetterSeries,
  doneSeries,
  lagSeries,
  projectionSeries,
} from "#platform/ops/history.ts";
import { groups } from "#platform/ops/lag.ts";

/** Milliseconds after which the metadata store counts as not responding. */
const timeoutMs = 4_000;

interface History {
  from: string;
  batches: BatchStep[];
  deliveries: DeliveryStep[];
  failedRuns: FailedRunStep[];
  samples: SampleStep[];
}

/** What the tables of batches, deliveries, runs and samples have for the last day. They are read once a second at most. */
export class OpsHistory {
  readonly #probe: CachedProbe<History>;

  constructor(private readonly context: Pick<Context, "db" | "clock">) {
    const { clock } = context;
    this.#probe = new CachedProbe({ read: () => this.#read(), timeoutMs, clock });
  }

  /** OpsHistory. */
  async read(): Promise<object> {
    return historyShown(await this.#probe.probe(), this.context.clock.now());
  }

  async #read(): Promise<History> {
    const { db, clock } = this.context;
    const from = beginning(clock.now());
    const [batches, deliveries, failedRuns, samples] = await Promise.all([
      db.query(batchSteps, [from]),
      db.query(deliverySteps, [from]),
      db.query(failedRunSteps, [from]),
      db.query(sampleSteps, [from]),
    ]);
    return { from, batches, deliveries, failedRuns, samples };
  }
}

/** When the period begins that ends a millisecond after `now`, so that what happens at this moment is in it. */
function beginning(now: number): string {
  return new Date(now + 1 - periodSeconds * 1_000).toISOString();
}

function historyShown(seen: ProbeResult<History>, now: number) {
  const common = { step_seconds: stepSeconds };
  if (!seen.known) {
    const empty = { batches: [], items: [], refused_batches: [], refused_items: [] };
    const unknown = { state: "unknown", cause: seen.cause, from: beginning(now) };
    const sampled = {
      consumers: [],
      projection_lag: [],
      dead_letters: [],
      requests: [],
      failed_requests: [],
    };
    return { ...unknown, ...common, ...empty, deliveries: [], failed_runs: [], ...sampled };
  }
  const { from, batches, deliveries, failedRuns, samples } = seen.value;
  const byChannel = Map.groupBy(deliveries, ({ channel }) => channel);
  return {
    state: "known",
    cause: null,
    from,
    ...common,
    batches: seriesOf(batches, (row) => row.batches),
    items: seriesOf(batches, (row) => row.items),
    refused_batches: seriesOf(batches, (row) => row.refused_batches),
    refused_items: seriesOf(batches, (row) => row.refused_items),
    deliveries: [...byChannel].sort(([a], [b]) => a < b ? -1 : 1).map(([channel, rows]) => ({
      channel,
      delivered: seriesOf(rows, (row) => row.delivered),
      failed: seriesOf(rows, (row) => row.failed),
    })),
    failed_runs: seriesOf(failedRuns, (row) => row.failed),
    ...sampledShown(samples),
  };
}

/** A value for each step, 0 where nothing happened. */
function seriesOf<Row extends { step: number }>(rows: Row[], value: (row: Row) => number) {
  const series = new Array<number>(steps).fill(0);
  for (const row of rows) series[row.step] = value(row);
  return series;
}

/** A value for each step; null where nothing was sampled. */
type Sampled = (number | null)[];

/** What was sampled over the period: of OpsHistory. */
function sampledShown(rows: SampleStep[]) {
  const bySeries = Map.groupBy(rows, ({ series }) => series);
  const of = (series: string) => bySeries.get(series) ?? [];
  const lag = groups.map(({ group, topic }) => ({
    group,
    topic,
    lag: sampledBy("max", of(lagSeries({ group, topic }))),
    done: increases(of(doneSeries({ group, topic }))),
  }));
  return {
    consumers: lag,
    projection_lag: sampledBy("max", of(projectionSeries)),
    dead_letters: increases(of(deadLetterSeries)),
    requests: sampledBy("sum", of("requests")),
    failed_requests: sampledBy("sum", of("requests/failed")),
  };
}

const none = (): Sampled => new Array<number | null>(steps).fill(null);

/** The highest value, or the sum, of each step. */
function sampledBy(of: "max" | "sum", rows: SampleStep[]): Sampled {
  const series = none();
  for (const row of rows) if (row.step >= 0) series[row.step] = row[of];
  return series;
}

/** By how much a count grew up to the end of each step, since the last step that was sampled. */
function increases(rows: SampleStep[]): Sampled {
  const series = none();
  let before: number | undefined;
  for (const { step, max } of rows.toSorted((a, b) => a.step - b.step)) {
    if (step >= 0 && before !== undefined) series[step] = Math.max(0, max - before);
    before = max;
  }
  return series;
}

/** The period that is shown: seconds in all, and between two values. */
const periodSeconds = 24 * 3_600;
const stepSeconds = 15 * 60;
const steps = periodSeconds / stepSeconds;

/** What happened in a step; `step` is counted from the first. */
interface BatchStep {
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

/** Steps in which batches were applied or refused. */
const batchSteps = statement<BatchStep>("ops-history-batches")`
  SELECT ${stepOf("applied_at")} AS step,
         count(*) FILTER (WHERE outcome = 'applied' AND part = 0) AS batches,
         coalesce(sum(items), 0)::bigint AS items,
         count(*) FILTER (WHERE outcome = 'refused') AS refused_batches,
         coalesce(sum((detail ->> 'left_out')::bigint) FILTER (WHERE outcome = 'applied'), 0)::bigint AS refused_items
    FROM applied_batch WHERE ${within("applied_at")} GROUP BY 1`;

/** What became of deliveries of a channel in a step. */
interface DeliveryStep {
  step: number;
  channel: string;
  delivered: number;
  failed: number;
}

/** Steps in which deliveries ended. */
const deliverySteps = statement<DeliveryStep>("ops-history-deliveries")`
  SELECT ${stepOf("ended_at")} AS step, channel,
         count(*) FILTER (WHERE state = 'delivered') AS delivered,
         count(*) FILTER (WHERE state = 'failed') AS failed
    FROM delivery
   WHERE ended_at IS NOT NULL AND state IN ('delivered', 'failed') AND ${within("ended_at")}
   GROUP BY 1, 2`;

/** Connection runs that failed in a step. */
interface FailedRunStep {
  step: number;
  failed: number;
}

/** Steps in which runs of connections failed. */
const failedRunSteps = statement<FailedRunStep>("ops-history-failed-runs")`
  SELECT ${stepOf("finished_at")} AS step, count(*) AS failed
    FROM connection_run
   WHERE state = 'FAILED' AND kind = 'RUN' AND ${within("finished_at")} GROUP BY 1`;

/** The samples of a series in a step. `step` is -1 for the last one before the first step. */
interface SampleStep {
  series: string;
  step: number;
  /** Of all samples of the step. */
  sum: number;
  max: number;
}

/** Steps in which something was sampled, and the quarter of an hour before. */
const sampleSteps = statement<SampleStep>("ops-history-samples")`
  SELECT series, greatest(-1, ${
  stepOf("sampled_at")
}) AS step, sum(value)::bigint AS sum, max(value) AS max
    FROM ops_sample
   WHERE sampled_at >= $1::timestamptz - ${stepSeconds} * interval '1 second'
     AND sampled_at < $1::timestamptz + ${periodSeconds} * interval '1 second'
   GROUP BY 1, 2`;

/** How a consumer stood over some minutes. */
export interface RecentSamples {
  series: string;
  least: number;
  most: number;
  count: number;
}

/** The samples of the last $1 minutes, by series. */
export const recentSamples = statement<RecentSamples>("ops-recent-samples")`
  SELECT series, min(value) AS least, max(value) AS most, count(*) AS count
    FROM ops_sample WHERE sampled_at > now() - $1 * interval '1 minute' GROUP BY series`;

export interface SlowStatementRow {
  statement: string;
  calls: number;
  total_ms: number;
  max_ms: number;
  /** The hour in which it was last slow. */
  last_hour: string;
}

/** At most $1 slow statements of the last day, those that took the most time in all first. */
export const slowStatements = statement<SlowStatementRow>("ops-slow-statements")`
  SELECT statement, sum(calls)::bigint AS calls, sum(total_ms)::bigint AS total_ms, max(max_ms) AS max_ms,
         iso(max(hour)) AS last_hour
    FROM slow_statement WHERE hour > now() - ${periodSeconds} * interval '1 second'
   GROUP BY statement ORDER BY 3 DESC, 1 LIMIT $1`;
