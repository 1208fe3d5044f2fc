import { useQuery } from "@tanstack/react-query";
import { read, type Schema } from "#web/api/client.ts";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Shown } from "#web/kit/states.tsx";
import { Chart, type ChartSeries } from "#web/components/chart/chart.tsx";
import { Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";

type HistoryOf = Schema<"OpsHistory">;

/** Milliseconds between two reads: a value stands for a quarter of an hour. */
const everyMs = 60_000;

/** What came in and what went out over the last day, each as a chart. */
export function History() {
  const query = useQuery({ ...read("/api/ops/history"), refetchInterval: everyMs });
  if (!query.data) {
    return (
      <Card title="Last 24 hours">
        <Shown of={query} what="history" bones={8}>{() => null}</Shown>
      </Card>
    );
  }
  if (query.data.state === "unknown") {
    return (
      <Card title="Last 24 hours">
        <Unknown cause={query.data.cause} />
      </Card>
    );
  }
  return <Charts of={query.data} />;
}

const isSome = ({ values }: ChartSeries) => values.some((value) => value !== null && value > 0);

function Charts({ of }: { of: HistoryOf }) {
  const times = of.batches.map((_, at) => Date.parse(of.from) + at * of.step_seconds * 1_000);
  const perMinute = (values: number[]) => values.map((value) => value * 60 / of.step_seconds);
  const charts: { title: string; series: ChartSeries[]; format: (value: number) => string }[] = [
    {
      title: "Batches a minute",
      series: [{ name: "Batches", tone: "brand", values: perMinute(of.batches) }],
      format: rate,
    },
    {
      title: "Items a minute",
      series: [{ name: "Items", tone: "brand", values: perMinute(of.items) }],
      format: rate,
    },
    {
      title: "Refused",
      series: [
        { name: "Batches", tone: "bad", values: of.refused_batches },
        { name: "Items of another data source", tone: "warn", values: of.refused_items },
      ],
      format: count,
    },
    ...of.deliveries.map(({ channel, delivered, failed }) => ({
      title: `Deliveries: ${words(channel)}`,
      series: [
        { name: "Failed", tone: "bad" as const, values: failed },
        { name: "Delivered", tone: "good" as const, values: delivered },
      ],
      format: count,
    })),
  ];
  const shown = charts.map((chart) => ({ ...chart, series: chart.series.filter(isSome) }))
    .filter(({ series }) => series.length > 0);
  if (shown.length === 0) {
    return <Card title="Last 24 hours">No batches and no deliveries in the last 24 hours</Card>;
  }
  return (
    <div className={styles.parts}>
      {shown.map(({ title, series, format }) => (
        <Card key={title} title={`${title}, last 24 hours`}>
          <Chart label={title} kind="bars" stacked times={times} series={series} format={format} />
        </Card>
      ))}
    </div>
  );
}

const decimals = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });

function rate(value: number): string {
  return decimals.format(value);
}
