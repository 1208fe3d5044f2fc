import { maxDetails } from "#contract/bounded.ts";
import { inspectJson } from "#contract/ingestion/json.ts";
import { duplicateCatrns, parseDataEntityList } from "#contract/ingestion/parse.ts";
import { scanBatch } from "#contract/ingestion/scan.ts";
import { type BatchPart, splitBatch } from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { ingestionFault } from "./body.ts";

/** A batch that is sound in itself, ready to be published. */
export interface PreparedBatch {
  dataSourceCatrn: string;
  parts: BatchPart[];
}

/**
 * Everything about a batch that its bytes alone decide: spelling of keys, JSON, schema, doubled
 * CATRNs, parts. Throws the `AppError` of the answer.
 */
export function prepareBatch(body: Uint8Array): PreparedBatch {
  // Depth first: translation and parsing cost memory by the level.
  inspectJson(body);
  const bytes = translateKeys(body);
  const list = parseDataEntityList(bytes);
  refuseDuplicates(list.items);
  return {
    dataSourceCatrn: list.data_source_catrn,
    parts: splitBatch(bytes, scanBatch(bytes)),
  };
}

function refuseDuplicates(items: { catrn: string }[]): void {
  const duplicates = duplicateCatrns(items);
  if (duplicates.length === 0) return;
  const details = duplicates.slice(0, maxDetails).map(({ catrn, at }) => ({
    field: `items[${at[1]}].catrn`,
    message: `repeats ${catrn} of items[${at[0]}]`,
  }));
  throw ingestionFault(`The batch names ${duplicates[0]!.catrn} more than once`, details);
}
