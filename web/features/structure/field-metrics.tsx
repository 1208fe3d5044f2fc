import { useQuery } from "@tanstack/react-query";
import { read } from "#web/api/client.ts";
import { useDebounced } from "#web/kit/use-debounced.ts";
import { MetricTable } from "#web/components/metric-table.tsx";
import { Section } from "#web/features/structure/section.tsx";
import type { Field } from "#web/features/structure/tree.ts";
import { t } from "#web/messages/text.ts";

/** What is measured of a field, the newest value of each series. */
export function FieldMetrics({ field }: { field: Field }) {
  // Not of each field that somebody walks past.
  const id = useDebounced(field.id, 150);
  const { data } = useQuery({
    ...read("/api/datasetfields/{dataset_field_id}/metrics", {
      params: { path: { dataset_field_id: id } },
    }),
    placeholderData: undefined,
    enabled: id === field.id,
  });
  if (!data?.metric_families.length) return null;
  return (
    <Section title={t("kit.metrics")}>
      <MetricTable of={data} />
    </Section>
  );
}
