import uPlot from "uplot";
import { type ChartProps, drawnValues, tickText } from "#web/components/chart/series.ts";

/** Height of a chart in pixels, with its axes. */
export const chartHeight = 180;

export interface PlotOptions extends ChartProps {
  width: number;
  /** A colour as the canvas takes it, by the name of its token. */
  colour: (token: string) => string;
  /** Called with the place of the pointer, null when it has left. */
  onCursor: (at: { index: number; left: number } | null) => void;
}

/** Draws a chart into an element. It is the caller's to destroy. */
export function plot(target: HTMLElement, options: PlotOptions): uPlot {
  const { times, series, stacked = false } = options;
  // Later series are drawn over earlier ones: of a stack the whole first, then what stands below.
  const order = series.map((_, at) => stacked ? series.length - 1 - at : at);
  const values = drawnValues(series, stacked);
  const data = [times.map((_, at) => at), ...order.map((at) => values[at]!)];
  const look = { ...options, series: order.map((at) => series[at]!) };
  return new uPlot(uPlotOptions(look), data as uPlot.AlignedData, target);
}

function uPlotOptions(
  { width, times, series, kind, colour, format, onCursor }: PlotOptions,
): uPlot.Options {
  const line = { stroke: colour("--line"), width: 1 };
  const axis = { stroke: colour("--ink-soft"), font: "12px system-ui, sans-serif", ticks: line };
  const bars = uPlot.paths.bars!({ size: [0.8, 40], radius: 0.1 });
  return {
    width,
    height: chartHeight,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: kind === "line" } },
    scales: {
      x: { time: false, range: () => [-0.6, times.length - 0.4] },
      // From 0, so that heights compare as the values do.
      y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        space: 80,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
        values: (_plot, splits) => splits.map((index) => tickText(times, index)),
      },
      {
        ...axis,
        grid: line,
        space: 36,
        size: (_plot, labels) =>
          16 + 7 * (labels ?? []).reduce((most, { length }) => Math.max(most, length), 3),
        values: (_plot, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      ...series.map(({ name, tone }) => {
        const ink = colour(tone === "neutral" ? "--ink-faint" : `--${tone}`);
        const drawn = kind === "bars" ? { fill: ink, width: 0, paths: bars } : { width: 2 };
        return { label: name, stroke: ink, ...drawn, points: { show: false } };
      }),
    ],
    hooks: {
      setCursor: [({ cursor: { idx, left } }) => {
        const isInside = idx != null && left != null && left >= 0;
        onCursor(isInside ? { index: idx, left } : null);
      }],
    },
  };
}
