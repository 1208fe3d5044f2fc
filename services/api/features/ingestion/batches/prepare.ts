import { maxDetails } from "#contract/bounded.ts";
import {
  type NamedItem,
  noneSound,
  openBatch,
  type OpenedBatch,
  refusalDetails,
  repeatedCatrns,
  validateItems,
} from "#contract/ingestion/batch.ts";
import { type ItemText, joinTexts, textOf } from "#contract/ingestion/drafts.ts";
import { inspectJson, type JsonInspection } from "#contract/ingestion/inspect.ts";
import { ingestionFault, type IngestionReport, reportOf } from "#contract/ingestion/report.ts";
import { fitsType, typeMismatchMessage } from "#contract/ingestion/schema.ts";
import {
  type BatchChunk,
  type ChunkLimits,
  splitBatch,
  storedChunkLimits,
} from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import type { ReadChunk } from "#platform/batches-in-process.ts";

/** The valid part of a batch, ready to be published, and the report on the rest. */
export interface PreparedBatch {
  dataSourceCatrn: string;
  chunks: PreparedChunk[];
  /** On the items that were left out. */
  report: IngestionReport;
  /** The first `maxDetails` published items that do not fit their type. */
  typeMismatches: TypeMismatch[];
}

interface PreparedChunk extends BatchChunk {
  /** The read chunk for a consumer in this process; absent when it was not requested. */
  read?: ReadChunk;
}

/** An item that was accepted although it does not fit its type; `index` counts within the batch. */
export interface TypeMismatch {
  index: number;
  message: string;
}

/** An accepted item; `text` only where it is wanted, and has one. */
interface AcceptedItem extends NamedItem {
  fits: boolean;
  group: boolean;
  text: ItemText | null;
}

/**
 * Does all checks that need only the bytes of a batch: key spelling, JSON, schema, duplicate CATRNs;
 * then splits it into chunks. Invalid items are left out. Throws an `AppError` when no item is left,
 * or the fault concerns the whole batch. With `withDrafts` the chunks carry what was read of them.
 */
export function prepareBatch(
  body: Uint8Array,
  // Limits come first: translation and parsing need memory in proportion to the contents.
  inspected: JsonInspection = inspectJson(body),
  withDrafts = false,
): PreparedBatch {
  const batch = openBatch(translateKeys(body), inspected);
  const accepted: AcceptedItem[] = [];
  const typeMismatches: TypeMismatch[] = [];
  const refused = validateItems(batch, (item, index) => {
    const fits = fitsType(item);
    const group = item.data_entity_group !== undefined;
    const text = withDrafts ? textOf(item) : null;
    accepted.push({ index, catrn: item.catrn, fits, group, text });
    if (typeMismatches.length < maxDetails && !fits) {
      typeMismatches.push({ index, message: typeMismatchMessage(item) });
    }
  });
  if (accepted.length === 0) throw noneSound(refused);
  const repeated = repeatedCatrns(accepted);
  if (repeated) throw ingestionFault(repeated.message, repeated.details);
  return {
    dataSourceCatrn: batch.dataSourceCatrn,
    chunks: chunksOf(batch, accepted, withDrafts ? storedChunkLimits : undefined),
    report: reportOf(refused.length, refusalDetails(refused)),
    typeMismatches,
  };
}

/** The chunks of the accepted items; item indexes count within the whole batch. */
function chunksOf(
  batch: OpenedBatch,
  accepted: AcceptedItem[],
  limits?: ChunkLimits,
): PreparedChunk[] {
  const items = accepted.map(({ index }) => batch.scanned.items[index]!);
  const group = (at: number) => accepted[at]!.group;
  return splitBatch(batch.body, { ...batch.scanned, items }, limits, group).map((chunk) => {
    const own = chunk.indexes.map((at) => accepted[at]!);
    const read = readOf(batch.dataSourceCatrn, own);
    return { body: chunk.body, indexes: own.map(({ index }) => index), ...(read && { read }) };
  });
}

function readOf(sourceCatrn: string, own: AcceptedItem[]): ReadChunk | undefined {
  const texts = own.flatMap(({ text }) => text ?? []);
  if (texts.length < own.length) return undefined;
  const typeMismatches = own.filter(({ fits }) => !fits).length;
  return { sourceCatrn, itemCount: own.length, typeMismatches, drafts: joinTexts(texts) };
}
