import { useQuery } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { read, type Schema } from "#web/api/client.ts";
import { Chart, type ChartSeries } from "#web/components/chart/chart.tsx";
import { Source, Unknown } from "#web/features/operations/known.tsx";
import styles from "#web/features/operations/operations.module.css";
import { count, words } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Empty, Pending, Shown } from "#web/kit/states.tsx";
import { type Column, Table, timeColumn } from "#web/kit/table.tsx";
import { language } from "#web/messages/language.ts";
import { t } from "#web/messages/text.ts";

type HistoryOf = Schema<"OpsHistory">;

/** Milliseconds between two reads: processes report every minute, and a value of a chart stands for a quarter of an hour. */
const readEveryMs = 60_000;

/** What came in and what went out over the last day, each as a chart. */
export function History() {
  const query = useQuery({ ...read("/api/ops/history"), refetchInterval: readEveryMs });
  if (!query.data) {
    return (
      <Card title={t("operations.last24Hours")}>
        <Pending of={query} what={t("operations.history")} bones={8} />
      </Card>
    );
  }
  if (query.data.state === "unknown") {
    return (
      <Card title={t("operations.last24Hours")}>
        <Unknown cause={query.data.cause} />
      </Card>
    );
  }
  return <Charts of={query.data} />;
}

function Charts({ of }: { of: HistoryOf }) {
  const times = of.batches.map((_, at) => Date.parse(of.from) + at * of.step_seconds * 1_000);
  const shown = chartsOf(of).filter(({ series }) => series.some(isSome)).map(onlySome);
  if (shown.length === 0) {
    return (
      <Card title={t("operations.last24Hours")}>{t("operations.noRecordsBatchesErrorsOr")}</Card>
    );
  }
  return (
    <div className={styles.parts}>
      {shown.map(({ title, kind, series, format, source }) => (
        <Card key={title} title={t("operations.chartOfLast24Hours", { title })}>
          <Chart
            label={title}
            kind={kind}
            stacked={kind === "bars"}
            times={times}
            series={series}
            format={format}
          />
          <Source>{source}</Source>
        </Card>
      ))}
    </div>
  );
}

/** Without series that are all 0. A single one that is left of several is named in the title: it gets no legend. */
function onlySome(chart: HistoryChart): HistoryChart {
  const series = chart.series.filter(isSome);
  const isNamed = series.length === 1 && chart.series.length > 1;
  const title = isNamed
    ? t("operations.chartOfSeries", { title: chart.title, series: series[0]!.name })
    : chart.title;
  return { ...chart, series, title };
}

const isSome = ({ values }: ChartSeries) => values.some((value) => value !== null && value > 0);

interface HistoryChart {
  title: string;
  kind: "bars" | "line";
  series: ChartSeries[];
  format: (value: number) => string;
  source: string;
}

function chartsOf(of: HistoryOf): HistoryChart[] {
  const perMinute = (values: (number | null)[]) =>
    values.map((value) => value === null ? null : value * 60 / of.step_seconds);
  return [...consumerCharts(of, perMinute), ...trafficCharts(of, perMinute)];
}

type PerMinute = (values: (number | null)[]) => (number | null)[];

function consumerCharts(of: HistoryOf, perMinute: PerMinute): HistoryChart[] {
  const tones = ["brand", "info", "warn", "good", "neutral"] as const;
  const consumers = of.consumers.map((consumer, at) => (
    { ...consumer, name: `${consumer.group}: ${consumer.topic}`, tone: tones[at % tones.length]! }
  ));
  return [
    {
      title: t("operations.lag"),
      kind: "line",
      series: [
        ...consumers.map(({ name, tone, lag }): ChartSeries => ({ name, tone, values: lag })),
        { name: t("operations.lineageGraphChanges"), tone: "bad", values: of.projection_lag },
      ],
      format: count,
      source: t("operations.fromSamples"),
    },
    {
      title: t("operations.recordsProcessedAMinute"),
      kind: "line",
      series: consumers.map(({ name, tone, done }) => ({ name, tone, values: perMinute(done) })),
      format: rate,
      source: t("operations.fromOffsets"),
    },
    {
      title: t("operations.errors"),
      kind: "bars",
      series: [
        { name: t("operations.deadLetters"), tone: "bad", values: of.dead_letters },
        { name: t("operations.failedRequests"), tone: "warn", values: of.failed_requests },
        { name: t("operations.failedConnectionRuns"), tone: "info", values: of.failed_runs },
      ],
      format: count,
      source: t("operations.fromErrors"),
    },
  ];
}

function trafficCharts(of: HistoryOf, perMinute: PerMinute): HistoryChart[] {
  return [
    {
      title: t("operations.requestsAMinute"),
      kind: "bars",
      series: [{ name: t("operations.requests"), tone: "brand", values: perMinute(of.requests) }],
      format: rate,
      source: t("operations.fromAnswers"),
    },
    {
      title: t("operations.batchesAMinute"),
      kind: "bars",
      series: [{ name: t("operations.batches"), tone: "brand", values: perMinute(of.batches) }],
      format: rate,
      source: t("operations.fromBatches"),
    },
    {
      title: t("operations.itemsAMinute"),
      kind: "bars",
      series: [{ name: t("operations.items"), tone: "brand", values: perMinute(of.items) }],
      format: rate,
      source: t("operations.fromBatches"),
    },
    {
      title: t("operations.refused"),
      kind: "bars",
      series: [
        { name: t("operations.batches"), tone: "bad", values: of.refused_batches },
        { name: t("operations.itemsOfAnotherDataSource"), tone: "warn", values: of.refused_items },
      ],
      format: count,
      source: t("operations.fromBatches"),
    },
    ...of.deliveries.map(deliveriesOf),
  ];
}

function deliveriesOf(
  { channel, delivered, failed }: HistoryOf["deliveries"][number],
): HistoryChart {
  return {
    title: t("operations.deliveriesOf", { channel: words(channel) }),
    kind: "bars",
    series: [
      { name: t("operations.failed"), tone: "bad", values: failed },
      { name: t("operations.delivered"), tone: "good", values: delivered },
    ],
    format: count,
    source: t("operations.fromDeliveryLog"),
  };
}

const decimals = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });

function rate(value: number): string {
  return decimals.format(value);
}

type Statement = Schema<"OpsSlowStatement">;

/** SQL statements that took long over the last day. */
export function SlowStatements() {
  const query = useQuery({ ...read("/api/ops/slow-statements"), refetchInterval: readEveryMs });
  return (
    <Card title={t("operations.slowQueriesLast24Hours")} flush>
      <Shown of={query} what={t("operations.slowQueries")} bones={3}>
        {({ state, cause, items, threshold_ms: threshold }) => (
          <>
            {state === "unknown" && (
              <p className={styles.lead}>
                <Unknown cause={cause} />
              </p>
            )}
            {state === "known" && (items.length === 0
              ? (
                <Empty title={t("operations.noSlowQueries")} icon={<Zap aria-hidden />}>
                  {t("operations.noStatementTook", { threshold: count(threshold) })}
                </Empty>
              )
              : (
                <Table
                  label={t("operations.slowQueries2")}
                  columns={statementColumns()}
                  rows={items}
                  keyOf={({ statement }) => statement}
                />
              ))}
            <div className={styles.lead}>
              <Source>{t("operations.fromStatements", { threshold: count(threshold) })}</Source>
            </div>
          </>
        )}
      </Shown>
    </Card>
  );
}

const ms = (value: number) => t("operations.milliseconds", { count: count(value) });

const statementColumns = (): Column<Statement>[] => [
  {
    name: t("operations.statement"),
    cell: ({ statement }) => <code className="foreign">{statement}</code>,
  },
  { name: t("operations.slowCalls"), right: true, cell: ({ calls }) => count(calls) },
  {
    name: t("operations.mean"),
    right: true,
    cell: ({ calls, total_ms }) => ms(Math.round(total_ms / calls)),
  },
  { name: t("operations.longest"), right: true, cell: ({ max_ms }) => ms(max_ms) },
  { name: t("operations.total"), right: true, cell: ({ total_ms }) => ms(total_ms) },
  timeColumn(t("operations.lastInTheHourOf"), ({ last_hour }) => last_hour),
];
