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
import { type ItemText, joinTexts, textOf } from "#contract/ingestion/drafts.ts";
import { type Inspected, inspectJson } from "#contract/ingestion/inspect.ts";
import { type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { fitsType, misfitMessage } from "#contract/ingestion/schema.ts";
import {
  type BatchPart,
  type PartLimits,
  splitBatch,
  writtenParts,
} from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { ReadPart } from "#platform/read-parts.ts";
import { ingestionFault } from "../fault.ts";

/** The valid part of a batch, ready to be published, and the report on the rest. */
export interface PreparedBatch {
  dataSourceCatrn: string;
  parts: PreparedPart[];
  /** On the items that were left out. */
  report: IngestionReport;
  /** The first `maxDetails` published items that do not fit their type. */
  misfits: Misfit[];
}

export interface PreparedPart extends BatchPart {
  /** What a consumer in this process need not read again; absent when it was not asked for. */
  read?: ReadPart;
}

/** An item that was accepted although it does not fit its type; `index` counts within the batch. */
export interface Misfit {
  index: number;
  message: string;
}

/** An accepted item; `text` only where it is wanted, and has one. */
interface TakenItem extends NamedItem {
  fits: boolean;
  group: boolean;
  text: ItemText | null;
}

/**
 * Does all checks that need only the bytes of a batch: key spelling, JSON, schema, duplicate CATRNs;
 * then splits it into parts. Invalid items are left out. Throws an `AppError` when no item is left,
 * or the fault concerns the whole batch. With `drafts` the parts carry what was read of them.
 */
export function prepareBatch(
  body: Uint8Array,
  given?: Inspected,
  drafts = false,
): PreparedBatch {
  // Limits come first: translation and parsing need memory in proportion to the contents.
  const inspected = given ?? inspectJson(body);
  const batch = openBatch(translateKeys(body), inspected);
  const taken: TakenItem[] = [];
  const misfits: Misfit[] = [];
  const refused = judgeItems(batch, (item, index) => {
    const fits = fitsType(item);
    const group = item.data_entity_group !== undefined;
    taken.push({ index, catrn: item.catrn, fits, group, text: drafts ? textOf(item) : null });
    if (misfits.length < maxDetails && !fits) {
      misfits.push({ index, message: misfitMessage(item) });
    }
  });
  if (taken.length === 0) throw noneSound(refused);
  const repeated = repeatedCatrns(taken);
  if (repeated) throw ingestionFault(repeated.message, repeated.details);
  return {
    dataSourceCatrn: batch.dataSourceCatrn,
    parts: partsOf(batch, taken, drafts ? writtenParts : undefined),
    report: reportOf(refused.length, placesOf(refused)),
    misfits,
  };
}

/** The parts of the accepted items; item indexes count within the whole batch. */
function partsOf(batch: OpenedBatch, taken: TakenItem[], limits?: PartLimits): PreparedPart[] {
  const items = taken.map(({ index }) => batch.scanned.items[index]!);
  const group = (at: number) => taken[at]!.group;
  return splitBatch(batch.bytes, { ...batch.scanned, items }, limits, group).map((part) => {
    const own = part.items.map((at) => taken[at]!);
    const read = readOf(batch.dataSourceCatrn, own);
    return { body: part.body, items: own.map(({ index }) => index), ...(read && { read }) };
  });
}

function readOf(sourceCatrn: string, own: TakenItem[]): ReadPart | undefined {
  const texts = own.flatMap(({ text }) => text ?? []);
  if (texts.length < own.length) return undefined;
  const misfits = own.filter(({ fits }) => !fits).length;
  return { sourceCatrn, items: own.length, misfits, drafts: joinTexts(texts) };
}
