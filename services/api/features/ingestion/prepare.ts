import { maxDetails } from "#contract/bounded.ts";
import { duplicateCatrns, eachItem, openBatch } from "#contract/ingestion/batch.ts";
import { inspectJson } from "#contract/ingestion/json.ts";
import { type BatchPart, splitBatch } from "#contract/ingestion/split.ts";
import { translateKeys } from "#contract/ingestion/translate.ts";
import { ingestionFault } from "./fault.ts";

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
  const batch = openBatch(bytes);
  const catrns: string[] = [];
  eachItem(batch, ({ catrn }) => catrns.push(catrn));
  refuseDuplicates(catrns);
  return { dataSourceCatrn: batch.dataSourceCatrn, parts: splitBatch(bytes, batch.scanned) };
}

function refuseDuplicates(catrns: string[]): void {
  const duplicates = duplicateCatrns(catrns);
  if (duplicates.length === 0) return;
  const details = duplicates.slice(0, maxDetails).map(({ catrn, at }) => ({
    field: `items[${at[1]}].catrn`,
    message: `repeats ${catrn} of items[${at[0]}]`,
  }));
  throw ingestionFault(`The batch names ${duplicates[0]!.catrn} more than once`, details);
}
