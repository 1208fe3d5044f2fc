import type { RefusedItem } from "#contract/ingestion/batch.ts";
import { type Inspected, inspectJson } from "#contract/ingestion/inspect.ts";
import { fitsType } from "#contract/ingestion/schema.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { DraftedPart, PartIdentity } from "../part.ts";
import { draft } from "./draft.ts";
import { sliced } from "./slice.ts";
import { validate } from "./validate.ts";

/** A body that was read: what its slices mean, each for a transaction of its own. */
export interface ReadPart<D = DraftedPart> {
  sourceCatrn: string;
  slices: ReadSlice<D>[];
  /** What is left over, in direct records only. */
  refused: RefusedItem[];
}

export interface ReadSlice<D = DraftedPart> {
  /** The number of the slice as a part. */
  part: number;
  /** Of its items, the places within the record. */
  indexes: number[];
  /** Items whose parts do not fit their type. */
  misfits: number;
  drafted: D;
}

/**
 * All that the bytes of a record alone decide, stages 2 to 4; `packed` is what is kept of each draft, `given` what was
 * seen of the record already.
 * Throws as `validate`.
 */
export function read<D>(
  value: Uint8Array,
  identity: PartIdentity,
  packed: (drafted: DraftedPart) => D,
  given?: Inspected,
): ReadPart<D> {
  // Before the translation, whose memory grows with the nesting.
  const inspected = given ?? inspectJson(value);
  const part = validate({ identity, body: translateKeys(value), inspected });
  const slices = sliced(part).map((slice) => ({
    part: slice.identity.part,
    indexes: slice.indexes,
    misfits: slice.items.filter((item) => !fitsType(item)).length,
    drafted: packed(draft(slice)),
  }));
  return { sourceCatrn: part.sourceCatrn, slices, refused: part.refused };
}
