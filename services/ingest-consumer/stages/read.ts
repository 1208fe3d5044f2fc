import type { RefusedItem } from "#contract/ingestion/batch.ts";
import { draftsOf } from "#contract/ingestion/drafts.ts";
import { inspectJson, type JsonInspection } from "#contract/ingestion/inspect.ts";
import { fitsType } from "#contract/ingestion/schema.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { ChunkIdentity, DraftedChunk, ValidChunk } from "../chunk.ts";
import { sliced } from "./slice.ts";
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
