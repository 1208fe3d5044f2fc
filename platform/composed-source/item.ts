import type { z } from "@hono/zod-openapi";
import type { IngestedMetricSetList } from "#contract/ingestion/others.ts";
import type { DataEntity } from "#contract/ingestion/schema.ts";
import { canonical, sha256 } from "#kit/canonical.ts";

/** An item of a batch, as collectors write it. */
export type Item = z.input<typeof DataEntity>;
/** Metrics of one entity or field, as collectors post them. */
export type MetricSet = z.input<typeof IngestedMetricSetList>["items"][number];

/** What is posted of one subject. */
export interface MappedItem {
  items: Item[];
  /** Figures, which are no part of batches. */
  metrics: MetricSet[];
  /** Equal for equal items and figures; null when there is nothing to post. */
  hash: string | null;
  /** When it is to be mapped again without another event, milliseconds since the epoch. */
  dueAt: number | null;
}

/** An item as it stands in a batch. */
export interface ItemText {
  catrn: string;
  json: string;
  /** Groups follow their members. */
  isGroup: boolean;
}

/** The text of an item. */
export function itemText(item: Item): ItemText {
  return {
    catrn: item.catrn,
    json: JSON.stringify(item),
    isGroup: item.data_entity_group !== undefined && item.data_entity_group !== null,
  };
}

/** Items and figures with their hash. */
export function composed(
  items: Item[],
  dueAt: number | null,
  metrics: MetricSet[] = [],
): MappedItem {
  const empty = items.length === 0 && metrics.length === 0;
  const content = metrics.length === 0 ? items : [items, metrics];
  return { items, metrics, hash: empty ? null : sha256(canonical(content)), dueAt };
}
