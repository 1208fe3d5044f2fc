import type { Tone } from "#web/kit/classes.ts";
import { locale } from "#web/messages/language.ts";

/** Values over time, one for each of the times of the chart; null where there is none. */
export interface ChartSeries {
  name: string;
  values: (number | null)[];
  tone: Tone;
}

export interface ChartProps {
  /** What the chart shows, for assistive technology. */
  label: string;
  /** Milliseconds since 1970, ascending; each is drawn as far from the next, however long is between them. */
  times: number[];
  series: ChartSeries[];
  /** A line for values that are measured, bars for what happened at or within each time. */
  kind: "line" | "bars";
  /** A value with its unit. */
  format: (value: number) => string;
  /** Bars of one time stand on each other; the first series is at the bottom. */
  stacked?: boolean;
}

/** What is drawn: stacked series as sums, so that each is drawn over the one that it stands below. */
export function drawnValues(series: ChartSeries[], stacked: boolean): (number | null)[][] {
  if (!stacked) return series.map(({ values }) => values);
  return series.map((_, at) =>
    series[at]!.values.map((_, index) =>
      series.slice(0, at + 1).reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
    )
  );
}

const dayMs = 86_400_000;
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });

/** Whether the times are days rather than moments. */
function areDays(times: number[]): boolean {
  return times.length > 1 &&
    times.every((at, index) => index === 0 || at - times[index - 1]! >= dayMs * 0.9);
}

/** The text of a time at the axis: the hour where all are of about a day, else the date. */
export function tickText(times: number[], index: number): string {
  const at = times[index];
  if (at === undefined) return "";
  const isShort = times.at(-1)! - times[0]! < 1.5 * dayMs;
  return (isShort ? clock : day).format(at);
}

/** The text of a time in the tooltip and the table. */
export function momentText(times: number[], index: number): string {
  return (areDays(times) ? date : exact).format(times[index]!);
}
