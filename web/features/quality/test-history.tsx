import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { count } from "#web/kit/numbers.ts";
import { Card } from "#web/kit/page.tsx";
import { Chart } from "#web/components/chart/chart.tsx";

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
    { name: "Failed", tone: "bad" as const, values: days.map(({ failed }) => failed) },
    { name: "Other", tone: "neutral" as const, values: days.map(({ other }) => other) },
    { name: "Succeeded", tone: "good" as const, values: days.map(({ success }) => success) },
  ];
  return (
    <Card title="Test results by day">
      <Chart
        label="Test results by day"
        kind="bars"
        stacked
        times={days.map(({ date }) => new Date(`${date}T00:00:00`).getTime())}
        series={series.filter(({ values }) => values.some((value) => value > 0))}
        format={count}
      />
    </Card>
  );
}
