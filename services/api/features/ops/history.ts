import type { Context } from "#platform/context.ts";
import { CachedProbe, type ProbeResult } from "#platform/ops/cached-probe.ts";
import {
  deadLetterSeries,
  doneSeries,
  lagSeries,
  projectionSeries,
} from "#platform/ops/history/samples.ts";
import { groups } from "#platform/ops/lag.ts";
import * as queries from "#services/api/features/ops/history.queries.ts";
import { type SampleStep, steps } from "#services/api/features/ops/history.queries.ts";

/** Milliseconds after which the metadata store counts as not responding. */
const timeoutMs = 4_000;

interface History {
  from: string;
  batches: queries.BatchStep[];
  deliveries: queries.DeliveryStep[];
  failedRuns: queries.FailedRunStep[];
  samples: queries.SampleStep[];
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
      queries.readBatchSteps(db, from),
      queries.readDeliverySteps(db, from),
      queries.readFailedRunSteps(db, from),
      queries.readSampleSteps(db, from),
    ]);
    return { from, batches, deliveries, failedRuns, samples };
  }
}

/** When the period begins that ends a millisecond after `now`, so that what happens at this moment is in it. */
function beginning(now: number): string {
  return new Date(now + 1 - queries.periodSeconds * 1_000).toISOString();
}

function historyShown(seen: ProbeResult<History>, now: number) {
  const common = { step_seconds: queries.stepSeconds };
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
  const series = new Array<number>(queries.steps).fill(0);
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
    lag: highest(of(lagSeries({ group, topic }))),
    done: increases(of(doneSeries({ group, topic }))),
  }));
  return {
    consumers: lag,
    projection_lag: highest(of(projectionSeries)),
    dead_letters: increases(of(deadLetterSeries)),
    requests: sums(of("requests")),
    failed_requests: sums(of("requests/failed")),
  };
}

const none = (): Sampled => new Array<number | null>(steps).fill(null);

/** The highest value of each step. */
function highest(rows: SampleStep[]): Sampled {
  const series = none();
  for (const { step, max } of rows) if (step >= 0) series[step] = max;
  return series;
}

function sums(rows: SampleStep[]): Sampled {
  const series = none();
  for (const { step, sum } of rows) if (step >= 0) series[step] = sum;
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
