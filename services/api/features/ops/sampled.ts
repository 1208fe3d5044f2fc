import {
  deadLetterSeries,
  doneSeries,
  lagSeries,
  projectionSeries,
} from "#platform/ops/history/samples.ts";
import { groups } from "#platform/ops/lag.ts";
import { type SampleStep, steps } from "#services/api/features/ops/history.queries.ts";

/** A value for each step; null where nothing was sampled. */
export type Sampled = (number | null)[];

/** What was sampled over the period: of OpsHistory. */
export function sampledShown(rows: SampleStep[]) {
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
export function increases(rows: SampleStep[]): Sampled {
  const series = none();
  let before: number | undefined;
  for (const { step, max } of rows.toSorted((a, b) => a.step - b.step)) {
    if (step >= 0 && before !== undefined) series[step] = Math.max(0, max - before);
    before = max;
  }
  return series;
}
