import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { Card } from "#web/kit/page.tsx";
import { MetricTable } from "#web/components/metric-table.tsx";
import { t } from "#web/messages/text.ts";

/** What its source measures of it; nothing where it measures nothing. */
export function MetricsCard({ id }: { id: number }) {
  const { data } = useQuery(
    read("/api/dataentities/{data_entity_id}/metrics", {
      params: { path: { data_entity_id: id } },
    }),
  );
  if (!data?.metric_families.some(({ metrics }) => metrics.length > 0)) return null;
  return (
    <Card title={t("kit.metrics")} flush>
      <MetricTable of={data} />
    </Card>
  );
}
