import type { Schema } from "#web/api/client.ts";
import { type Column, Table } from "#web/kit/table.tsx";
import { Time } from "#web/kit/time.tsx";
import { type MetricRow, metricRows } from "#web/components/metrics.ts";
import { t } from "#web/messages/text.ts";

const columns = (): Column<MetricRow>[] => [
  {
    name: t("components.metric"),
    cell: ({ name, about, labels }) => (
      <div title={about} className="foreign">
        <div className="truncate">{name}</div>
        {labels && <div className="truncate soft" title={labels}>{labels}</div>}
      </div>
    ),
  },
  { name: t("components.value"), right: true, cell: ({ value, unit }) => `${value} ${unit}` },
  {
    name: t("components.measured"),
    tight: true,
    cell: ({ at }) => <Time at={at} none={t("kit.unknown")} />,
  },
];

/** The newest value of each series; nothing where nothing is measured. */
export function MetricTable({ of }: { of: Schema<"MetricSet"> }) {
  return (
    <Table
      label={t("kit.metrics")}
      rows={metricRows(of)}
      keyOf={({ key }) => key}
      columns={columns()}
    />
  );
}
