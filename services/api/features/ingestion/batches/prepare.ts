import { maxDetails } from "#contract/bounded.ts";
import {
  judgeItems,
  type NamedItem,
  noneSound,
  openBatch,
  type OpenedBatch,
  placesOf,
  repeatedCatrns,
} from "#contract/ingestion/batch.ts";
import { type Inspected, inspectJson } from "#contract/ingestion/inspect.ts";
import { type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { fitsType, misfitMessage } from "#contract/ingestion/schema.ts";
import { type BatchPart, splitBatch } from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { ingestionFault } from "../fault.ts";

/** The valid part of a batch, ready to be published, and the report on the rest. */
export interface PreparedBatch {
  dataSourceCatrn: string;
  parts: BatchPart[];
  /** On the items that were left out. */
  report: IngestionReport;
  /** The first `maxDetails` published items that do not fit their type. */
  misfits: Misfit[];
}

/** An item that was accepted although it does not fit its type; `index` counts within the batch. */
export interface Misfit {
  index: number;
  message: string;
}

/**
 * Does all checks that need only the bytes of a batch: key spelling, JSON, schema, duplicate CATRNs;
 * then splits it into parts. Invalid items are left out. Throws an `AppError` when no item is left,
 * or the fault concerns the whole batch.
 */
export function prepareBatch(body: Uint8Array, given?: Inspected): PreparedBatch {
  // Limits come first: translation and parsing need memory in proportion to the contents.
  const inspected = given ?? inspectJson(body);
  const batch = openBatch(translateKeys(body), inspected);
  const taken: NamedItem[] = [];
  const misfits: Misfit[] = [];
  const refused = judgeItems(batch, (item, index) => {
    taken.push({ index, catrn: item.catrn });
    if (misfits.length < maxDetails && !fitsType(item)) {
      misfits.push({ index, message: misfitMessage(item) });
    }
  });
  if (taken.length === 0) throw noneSound(refused);
  const repeated = repeatedCatrns(taken);
  if (repeated) throw ingestionFault(repeated.message, repeated.details);
  return {
    dataSourceCatrn: batch.dataSourceCatrn,
    parts: partsOf(batch, taken),
    report: reportOf(refused.length, placesOf(refused)),
    misfits,
  };
}

/** The parts of the accepted items; item indexes count within the whole batch. */
function partsOf({ bytes, scanned }: OpenedBatch, taken: NamedItem[]): BatchPart[] {
  const items = taken.map(({ index }) => scanned.items[index]!);
  return splitBatch(bytes, { ...scanned, items }).map((part) => ({
    body: part.body,
    items: part.items.map((at) => taken[at]!.index),
  }));
}
