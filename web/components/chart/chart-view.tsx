import "uplot/dist/uPlot.min.css";
import { useRef } from "react";
import { classes } from "#web/kit/classes.ts";
import { toneClass } from "#web/kit/tones.ts";
import { chartHeight } from "#web/components/chart/plot.ts";
import { type ChartProps, type ChartSeries, momentText } from "#web/components/chart/series.ts";
import { type Cursor, usePlot } from "#web/components/chart/use-plot.ts";
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
    <div
      className={classes(styles.tooltip, isRight && styles.before)}
      style={{ left }}
      aria-hidden
    >
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
