import { own } from "#kit/own.ts";
import { objectOf } from "../state/facets.ts";
import type { Item } from "./item.ts";

type Field = NonNullable<Item["dataset"]>["field_list"][number];

/** Statistics of a field, when a facet has low, high, number of nulls and of distinct values of it. */
export function statisticsOf(
  metrics: Record<string, unknown> | undefined,
  path: string,
  type: Field["type"]["type"],
): Pick<Field, "stats"> {
  const byColumn = objectOf(metrics?.columnMetrics);
  const column = byColumn && own(byColumn, path);
  const found = objectOf(column);
  if (!found) return {};
  const { min, max, nullCount, distinctCount } = found;
  const counts = { nulls_count: nullCount, unique_count: distinctCount };
  if (![nullCount, distinctCount].every(Number.isSafeInteger)) return {};
  const values = { low_value: min, high_value: max, ...counts };
  if (type === "TYPE_INTEGER" && [min, max].every(Number.isSafeInteger)) {
    return { stats: { integer_stats: values } } as Pick<Field, "stats">;
  }
  if (type === "TYPE_NUMBER" && [min, max].every(Number.isFinite)) {
    return { stats: { number_stats: values } } as Pick<Field, "stats">;
  }
  return {};
}
