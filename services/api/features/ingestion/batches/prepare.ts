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

/** What of a batch is sound in itself, ready to be published, and what is to be told of the rest. */
export interface PreparedBatch {
  dataSourceCatrn: string;
  parts: BatchPart[];
  /** Of what was left out. */
  report: IngestionReport;
  /** Of what was taken, the first `maxDetails` items that do not fit their type. */
  misfits: Misfit[];
}

/** An item that was taken as it came; `index` counts within the batch. */
export interface Misfit {
  index: number;
  message: string;
}

/**
 * Everything about a batch that its bytes alone decide: spelling of keys, JSON, schema, doubled
 * CATRNs, parts. A wrong item is left out. Throws the `AppError` of the answer when nothing is left, or
 * the fault is the batch's.
 */
export function prepareBatch(body: Uint8Array, given?: Inspected): PreparedBatch {
  // Before all else: translation and parsing cost memory by what it holds.
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

/** The parts of what was taken; their items are counted within the whole batch. */
function partsOf({ bytes, scanned }: OpenedBatch, taken: NamedItem[]): BatchPart[] {
  const items = taken.map(({ index }) => scanned.items[index]!);
  return splitBatch(bytes, { ...scanned, items }).map((part) => ({
    body: part.body,
    items: part.items.map((at) => taken[at]!.index),
  }));
}
