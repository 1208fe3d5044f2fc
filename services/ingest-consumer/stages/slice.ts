import type { DataEntity } from "#contract/ingestion/schema.ts";
import { maxPartItems } from "#contract/ingestion/split.ts";
import type { ValidPart } from "../part.ts";

/** Approximate limit on the rows one transaction writes: fields, edges, members, and the items. */
const maxWeight = 20_000;

/**
 * Stage 3: a direct record may have any size, so it is applied in slices, each a part of its own,
 * numbered from the record's part number. Parts of HTTP batches were split by the API and stay
 * whole.
 */
export function sliced(part: ValidPart): ValidPart[] {
  if (!part.identity.direct) return [part];
  const slices: ValidPart[] = [];
  let start = 0;
  let weight = 0;
  for (let at = 0; at <= part.items.length; at++) {
    const next = at < part.items.length ? weightOf(part.items[at]!) : Infinity;
    if (at > start && (weight + next > maxWeight || at - start >= maxPartItems)) {
      slices.push(sliceOf(part, start, at, part.identity.part + slices.length));
      start = at;
      weight = 0;
    }
    weight += next;
  }
  return slices;
}

function sliceOf(part: ValidPart, from: number, to: number, number: number): ValidPart {
  return {
    ...part,
    identity: { ...part.identity, part: number },
    items: part.items.slice(from, to),
    indexes: part.indexes.slice(from, to),
  };
}

function weightOf(item: DataEntity): number {
  return 1 + (item.dataset?.field_list.length ?? 0) +
    (item.data_transformer?.inputs.length ?? 0) + (item.data_transformer?.outputs.length ?? 0) +
    (item.data_entity_group?.entities_list.length ?? 0) + (item.owners?.length ?? 0) +
    columnEdgesOf(item);
}

function columnEdgesOf({ data_transformer }: DataEntity): number {
  const entries = data_transformer?.column_lineage ?? [];
  return entries.reduce((sum, { sources }) => sum + sources.length, 0);
}
