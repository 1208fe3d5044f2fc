import { z } from "@hono/zod-openapi";
import { boundedArray, maxDetails } from "#contract/bounded.ts";
import { badRequest, type ErrorDetail } from "#kit/errors.ts";
import { inspectJson, parseJson } from "./json.ts";
import { maxItems } from "./limits.ts";
import { check, describe, detailsOf, objectOf, parseWith, summary } from "./parse.ts";
import { scanBatch, type ScannedBatch } from "./scan.ts";
import { DataEntity, type DataEntityList, noItems } from "./schema.ts";
import { frameOnly } from "./split.ts";
import { Catrn } from "./values.ts";

/**
 * A batch that can be read: its frame is sound, its items are places in its bytes. Each is parsed when
 * its turn comes, so that a batch costs the memory of its bytes and of one item.
 */
export interface OpenedBatch {
  bytes: Uint8Array;
  dataSourceCatrn: string;
  scanned: ScannedBatch;
}

/** The rules of a list of items but those for each item. */
const ItemCount = boundedArray(z.unknown(), maxItems).min(1, { error: noItems });

/**
 * Opens a batch. Throws the 400 `AppError` of one that cannot be read at all: not JSON (but for what
 * stands within items), too much of anything, no data source, no items.
 */
export function openBatch(body: Uint8Array | string): OpenedBatch {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  inspectJson(bytes);
  const scanned = scanBatch(bytes);
  const frame = objectOf(parseJson(frameOnly(bytes, scanned)));
  const source = check(Catrn, frame.data_source_catrn, "data_source_catrn");
  const items = check(ItemCount, frame.items, "items");
  if (source.ok && items.ok) return { bytes, dataSourceCatrn: source.value, scanned };
  const details = [source, items].flatMap((one) => (one.ok ? [] : one.details));
  throw badRequest(summary(details), details);
}

/** An item as it was found; what is wrong with it is worked out when it is asked for. */
export type CheckedItem =
  | { index: number; item: DataEntity }
  | { index: number; details: () => ErrorDetail[] };

/** The items in order. Throws the 400 `AppError` of an item that is no JSON or cannot be stored. */
export function* checkedItems({ bytes, scanned }: OpenedBatch): Generator<CheckedItem> {
  for (const [index, { from, to }] of scanned.items.entries()) {
    const path = `items[${index}]`;
    const value = parseJson(bytes.subarray(from, to), { path });
    const result = DataEntity.safeParse(value, { error: describe });
    if (result.success) yield { index, item: result.data };
    else yield { index, details: () => detailsOf(result.error, path) };
  }
}

/**
 * Shows every item to `take`. Throws a 400 `AppError` whose details name every wrong field (the first
 * 100).
 */
export function eachItem(batch: OpenedBatch, take: (item: DataEntity) => void): void {
  const details: ErrorDetail[] = [];
  for (const found of checkedItems(batch)) {
    if ("item" in found) take(found.item);
    else for (const detail of found.details()) details.push(detail);
    if (details.length >= maxDetails) break;
  }
  const first = details.slice(0, maxDetails);
  if (first.length > 0) throw badRequest(summary(first), first);
}

/** A whole batch. Throws as `openBatch` and `eachItem`. */
export function parseDataEntityList(body: Uint8Array | string): DataEntityList {
  const batch = openBatch(body);
  const items: DataEntity[] = [];
  eachItem(batch, (item) => items.push(item));
  return { data_source_catrn: batch.dataSourceCatrn, items };
}

/** One item, as `parseJson` gave it; `path` such as `items[3]`. */
export function parseItem(value: unknown, path: string): DataEntity {
  return parseWith(DataEntity, value, path);
}

/** Items of a batch that are sound, and what is wrong with the others; indexes are of the batch. */
export interface CheckedBatch {
  data_source_catrn: string;
  items: { index: number; item: DataEntity }[];
  /** Once `maxDetails` wrong places are told of, the items after are told of without any. */
  refused: { index: number; details: ErrorDetail[] }[];
}

/** As `parseDataEntityList`, but a wrong item refuses itself alone. */
export function checkDataEntityList(body: Uint8Array | string): CheckedBatch {
  const opened = openBatch(body);
  const batch: CheckedBatch = { data_source_catrn: opened.dataSourceCatrn, items: [], refused: [] };
  let told = 0;
  for (const found of checkedItems(opened)) {
    if ("item" in found) {
      batch.items.push(found);
      continue;
    }
    // To say what is wrong costs a hundred times as much as to see that something is.
    const details = told < maxDetails ? found.details() : [];
    told += details.length;
    batch.refused.push({ index: found.index, details });
  }
  return batch;
}

/** CATRNs that several items of one batch carry, each with the indexes of its items. */
export function duplicateCatrns(catrns: string[]): { catrn: string; at: number[] }[] {
  const first = new Map<string, number>();
  const repeated = new Map<string, number[]>();
  catrns.forEach((catrn, index) => {
    const before = first.get(catrn);
    if (before === undefined) first.set(catrn, index);
    else {
      const at = repeated.get(catrn);
      if (at) at.push(index);
      else repeated.set(catrn, [before, index]);
    }
  });
  return [...repeated].map(([catrn, at]) => ({ catrn, at }));
}
