import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Chart } from "#web/components/chart/chart.tsx";
import { t } from "#web/messages/text.ts";

/** Results of the tests by day, of the last 30 days; left out where no test has finished. */
export function TestHistory({ dataset }: { dataset: number }) {
  const { data } = useQuery(
    read("/api/datasets/{data_entity_id}/test_history", {
      params: { path: { data_entity_id: dataset } },
    }),
  );
  const days = data?.days ?? [];
  if (!days.some(({ success, failed, other }) => success + failed + other > 0)) return null;
  const series = [
    { name: t("quality.failed"), tone: "bad" as const, values: days.map(({ failed }) => failed) },
    { name: t("quality.other"), tone: "neutral" as const, values: days.map(({ other }) => other) },
    {
      name: t("quality.succeeded"),
      tone: "good" as const,
      values: days.map(({ success }) => success),
    },
  ];
  return (
    <Card title={t("quality.testResultsByDay")}>
      <Chart
        label={t("quality.testResultsByDay")}
        kind="bars"
        stacked
        times={days.map(({ date }) => new Date(`${date}T00:00:00`).getTime())}
        series={series.filter(({ values }) => values.some((value) => value > 0))}
        format={count}
      />
    </Card>
  );
}
