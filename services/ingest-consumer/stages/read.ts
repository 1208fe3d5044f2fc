import type { RefusedItem } from "#contract/ingestion/batch.ts";
import { draftsOf } from "#contract/ingestion/drafts.ts";
import { inspectJson, type JsonInspection } from "#contract/ingestion/inspect.ts";
import { type DataEntity, fitsType } from "#contract/ingestion/schema.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import type { ChunkIdentity, DraftedChunk, ValidChunk } from "../chunk.ts";
import { validate } from "./validate.ts";

/** The result of reading a body: its slices, each to be applied in its own transaction. */
export interface ReadChunk<D = DraftedChunk> {
  sourceCatrn: string;
  slices: ReadSlice<D>[];
  /** Items that are refused; only direct records have any. */
  refused: RefusedItem[];
}

export interface ReadSlice<D = DraftedChunk> {
  /** The part number of the slice. */
  part: number;
  /** The index of each item within the record. */
  indexes: number[];
  /** Number of items whose parts do not fit their type. */
  typeMismatches: number;
  drafted: D;
}

/**
 * Stages 2 to 4: everything that depends on the record's bytes alone. `packed` converts each draft
 * for the caller; `given` is the result of an earlier inspection. Throws as `validate` does.
 */
export function read<D>(
  value: Uint8Array,
  identity: ChunkIdentity,
  packed: (drafted: DraftedChunk) => D,
  given?: JsonInspection,
): ReadChunk<D> {
  // Limits come first: the memory that translation needs grows with the nesting.
  const inspected = given ?? inspectJson(value);
  const chunk = validate({ identity, body: translateKeys(value), inspected });
  const slices = sliced(chunk).map((slice) => ({
    part: slice.identity.part,
    indexes: slice.indexes,
    typeMismatches: slice.items.filter((item) => !fitsType(item)).length,
    drafted: packed(draft(slice)),
  }));
  return { sourceCatrn: chunk.sourceCatrn, slices, refused: chunk.refused };
}

/** Stage 4: what is to be written, by entity and run. */
export function draft({ identity, sourceCatrn, items }: ValidChunk): DraftedChunk {
  return { identity, sourceCatrn, ...draftsOf(items) };
}

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
