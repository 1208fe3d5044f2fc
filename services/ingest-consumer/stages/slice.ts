import type { DataEntity } from "#contract/ingestion/schema.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import type { ValidChunk } from "../chunk.ts";

/** Approximate limit on the rows one transaction writes: fields, edges, members, and the items. */
const maxWeight = 20_000;

/**
 * Stage 3: a direct record may have any size, so it is applied in slices, each a part of its own,
 * numbered from the record's part number. Parts of HTTP batches were split by the API and stay
 * whole.
 */
export function sliced(chunk: ValidChunk): ValidChunk[] {
  if (!chunk.identity.direct) return [chunk];
  const slices: ValidChunk[] = [];
  let start = 0;
  let weight = 0;
  for (let at = 0; at <= chunk.items.length; at++) {
    const next = at < chunk.items.length ? weightOf(chunk.items[at]!) : Infinity;
    if (at > start && (weight + next > maxWeight || at - start >= maxChunkItems)) {
      slices.push(sliceOf(chunk, start, at, chunk.identity.part + slices.length));
      start = at;
      weight = 0;
    }
    weight += next;
  }
  return slices;
}

function sliceOf(chunk: ValidChunk, from: number, to: number, number: number): ValidChunk {
  return {
    ...chunk,
    identity: { ...chunk.identity, part: number },
    items: chunk.items.slice(from, to),
    indexes: chunk.indexes.slice(from, to),
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
