import type { RefusedItem } from "#contract/ingestion/batch.ts";
import { draftsOf } from "#contract/ingestion/drafts.ts";
import { inspectJson, type JsonInspection } from "#contract/ingestion/inspect.ts";
import { type DataEntity, fitsType } from "#contract/ingestion/schema.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { maxChunkItems } from "#contract/ingestion/split.ts";
import type { ChunkIdentity, DraftedChunk, ValidChunk } from "../chunk.ts";
import { validate } from "./validate.ts";

/** The result of reading a record: its chunks, each to be applied in its own transaction. */
export interface ReadRecord<D = DraftedChunk> {
  sourceCatrn: string;
  chunks: RecordChunk<D>[];
  /** Items that are refused; only direct records have any. */
  refused: RefusedItem[];
}

interface RecordChunk<D = DraftedChunk> {
  /** The part number of the chunk. */
  part: number;
  /** The index of each item within the record. */
  indexes: number[];
  /** Number of items whose parts do not fit their type. */
  typeMismatches: number;
  drafted: D;
}

/**
 * Stages 2 to 4: everything that depends on the record's bytes alone. `pack` converts each draft
 * for the caller; `inspected` is the result of an earlier inspection. Throws as `validate` does.
 */
export function read<D>(
  body: Uint8Array,
  identity: ChunkIdentity,
  pack: (drafted: DraftedChunk) => D,
  // Limits come first: the memory that translation needs grows with the nesting.
  inspected: JsonInspection = inspectJson(body),
): ReadRecord<D> {
  const valid = validate({ identity, body: translateKeys(body), inspected });
  const chunks = chunksOf(valid).map((chunk) => ({
    part: chunk.identity.part,
    indexes: chunk.indexes,
    typeMismatches: chunk.items.filter((item) => !fitsType(item)).length,
    drafted: pack(draft(chunk)),
  }));
  return { sourceCatrn: valid.sourceCatrn, chunks, refused: valid.refused };
}

/** Stage 4: what is to be written, by entity and run. */
export function draft({ identity, sourceCatrn, items }: ValidChunk): DraftedChunk {
  return { identity, sourceCatrn, ...draftsOf(items) };
}

/** Approximate limit on the rows one transaction writes: fields, edges, members, and the items. */
const maxWeight = 20_000;

/**
 * Stage 3: a direct record may have any size, so it is applied in several chunks,
 * numbered from the record's part number. Chunks of HTTP batches were split by the API and stay
 * whole.
 */
export function chunksOf(valid: ValidChunk): ValidChunk[] {
  if (!valid.identity.direct) return [valid];
  const chunks: ValidChunk[] = [];
  let start = 0;
  let weight = 0;
  for (let at = 0; at <= valid.items.length; at++) {
    const next = at < valid.items.length ? weightOf(valid.items[at]!) : Infinity;
    if (at > start && (weight + next > maxWeight || at - start >= maxChunkItems)) {
      chunks.push(chunkOf(valid, start, at, valid.identity.part + chunks.length));
      start = at;
      weight = 0;
    }
    weight += next;
  }
  return chunks;
}

function chunkOf(valid: ValidChunk, from: number, to: number, part: number): ValidChunk {
  return {
    ...valid,
    identity: { ...valid.identity, part },
    items: valid.items.slice(from, to),
    indexes: valid.indexes.slice(from, to),
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
