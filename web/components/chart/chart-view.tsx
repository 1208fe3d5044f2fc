import "uplot/dist/uPlot.min.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { classes, toneClass } from "#web/kit/classes.ts";
import {
  type ChartProps,
  type ChartSeries,
  drawnValues,
  momentText,
  tickText,
} from "#web/components/chart/series.ts";
import styles from "#web/components/chart/chart.module.css";
import { t } from "#web/messages/text.ts";

/** Series over time with axes, a tooltip, and the same values as a table that opens. */
export function ChartView(props: ChartProps) {
  const target = useRef<HTMLDivElement>(null);
  const cursor = usePlot(target, props);
  return (
    <figure className={styles.chart} aria-label={props.label}>
      {props.series.length > 1 && <Legend of={props.series} />}
      <div className={styles.frame}>
        <div ref={target} aria-hidden style={{ minHeight: chartHeight }} />
        {cursor && <Tooltip {...props} cursor={cursor} />}
      </div>
      <details className={styles.table}>
        <summary>{t("components.showAsTable")}</summary>
        <Values {...props} />
      </details>
    </figure>
  );
}

function Legend({ of }: { of: ChartSeries[] }) {
  return (
    <ul className={styles.legend}>
      {of.map(({ name, tone }) => (
        <li key={name} className={toneClass(tone)}>
          <span className={styles.swatch} aria-hidden />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Tooltip({ times, series, format, cursor }: ChartProps & { cursor: Cursor }) {
  const { index, left } = cursor;
  if (times[index] === undefined) return null;
  const isRight = index > times.length / 2;
  return (
    <div className={classes(styles.tooltip, isRight && styles.before)} style={{ left }} aria-hidden>
      <strong>{momentText(times, index)}</strong>
      {series.map(({ name, tone, values }) =>
        values[index] != null && (
          <div key={name} className={toneClass(tone)}>
            <span className={styles.swatch} /> {name}: {format(values[index])}
          </div>
        )
      )}
    </div>
  );
}

function Values({ label, times, series, format }: ChartProps) {
  const rows = times.map((_, index) => index).filter((index) =>
    series.some(({ values }) => values[index])
  );
  return (
    <div className={styles.scroll}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t("components.time")}</th>
            {series.map(({ name }) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((index) => (
            <tr key={index}>
              <th scope="row">{momentText(times, index)}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? "–" : format(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Cursor {
  index: number;
  /** Pixels from the left edge of the chart. */
  left: number;
}

/** Keeps a chart drawn in an element: again when its data, its width or the colours change. */
function usePlot(target: RefObject<HTMLDivElement | null>, props: ChartProps) {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const width = useWidth(target);
  const colours = useColours();
  // Callers create their series on every render; the drawing changes only when the values do.
  const drawn = JSON.stringify([props.times, props.series, props.kind, props.stacked]);
  useEffect(() => {
    const element = target.current;
    if (!element || width === 0) return;
    const made = plot(element, {
      ...props,
      width,
      colour: (token) => resolved(element, token),
      onCursor: (at) => setCursor(at && { ...at, left: at.left + made.over.offsetLeft }),
    });
    return () => made.destroy();
  }, [target, width, colours, drawn]);
  return cursor;
}

function useWidth(target: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!target.current) return;
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.floor(entry!.contentRect.width))
    );
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return width;
}

/** A number that changes with the theme. */
function useColours(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const change = () => setVersion((now) => now + 1);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(change);
    scheme.addEventListener("change", change);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      scheme.removeEventListener("change", change);
      chosen.disconnect();
    };
  }, []);
  return version;
}

/** A token as it is in the theme of the element: a canvas knows no variables. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Height of a chart in pixels, with its axes. */
const chartHeight = 180;

interface PlotOptions extends ChartProps {
  width: number;
  /** A colour as the canvas takes it, by the name of its token. */
  colour: (token: string) => string;
  /** Called with the place of the pointer, null when it has left. */
  onCursor: (at: { index: number; left: number } | null) => void;
}

/** Draws a chart into an element. It is the caller's to destroy. */
function plot(target: HTMLElement, options: PlotOptions): uPlot {
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
