import type { Schema } from "#web/api/client.ts";
import { listText } from "#web/kit/numbers.ts";
import { t } from "#web/messages/text.ts";
import { locale } from "#web/messages/language.ts";

export interface MetricRow {
  key: string;
  name: string;
  about: string | undefined;
  labels: string;
  value: string;
  unit: string;
  at: string | null | undefined;
}

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });

/** The newest values of the metrics of something, a row for each set of labels. */
export function metricRows({ metric_families }: Schema<"MetricSet">): MetricRow[] {
  return metric_families.flatMap((family, at) =>
    family.metrics.map(({ labels, metric_point: point }, index) => ({
      key: `${at}.${index}`,
      name: family.name,
      about: family.description ?? undefined,
      labels: (labels ?? []).map(({ name, value }) => `${name}: ${value}`).join(", "),
      value: valueOf(point),
      unit: family.unit,
      at: point.timestamp,
    }))
  );
}

function valueOf(point: Schema<"MetricPoint">): string {
  if (point.gauge_value) return number.format(point.gauge_value.value);
  if (point.counter_value) return number.format(point.counter_value.total);
  const many = point.histogram_value ?? point.summary_value;
  if (!many) return "–";
  const parts = [
    many.count != null && t("components.valueCount", { count: number.format(many.count) }),
    many.sum != null && t("components.sum", { sum: number.format(many.sum) }),
    ...(point.summary_value?.quantile ?? []).map(({ quantile, value }) =>
      `p${number.format(quantile * 100)} ${number.format(value)}`
    ),
  ];
  return listText(parts.filter((part) => part !== false)) || "–";
}
