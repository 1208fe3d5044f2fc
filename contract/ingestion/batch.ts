import { z } from "@hono/zod-openapi";
import { boundedArray, maxDetails } from "#contract/bounded.ts";
import { AppError, badRequest, type ErrorDetail } from "#kit/errors.ts";
import {
  inspectJson,
  type JsonInspection,
  type JsonTraits,
  traitsIn,
  traitsOf,
} from "./inspect.ts";
import { parseJson } from "./json.ts";
import { maxItems } from "./limits.ts";
import {
  check,
  describe,
  detailsOf,
  objectOf,
  scanBatch,
  type ScannedBatch,
  summary,
} from "./parse.ts";
import { DataEntity, type DataEntityList, noItems } from "./schema.ts";
import { frameOnly } from "./split.ts";
import { Catrn } from "./values.ts";

/**
 * A batch whose frame is valid; its items are byte ranges of the body. Each item is parsed when its
 * turn comes, so the memory needed is that of the body and one item.
 */
export interface OpenedBatch {
  body: Uint8Array;
  inspected: JsonInspection;
  dataSourceCatrn: string;
  scanned: ScannedBatch;
}

/** The rules of the item list itself, without those of each item. */
const ItemCount = boundedArray(z.unknown(), maxItems).min(1, { error: noItems });

/**
 * Opens a batch. Throws a 400 `AppError` when the whole batch is unreadable: invalid JSON outside
 * the items, a limit exceeded, no data source, no items. `given` is the result of an earlier
 * inspection (perhaps of another spelling of the same length), which is then not repeated.
 */
export function openBatch(body: Uint8Array | string, given?: JsonInspection): OpenedBatch {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const inspected = given ?? inspectJson(bytes);
  const scanned = scanBatch(bytes);
  const frame = objectOf(parseJson(frameOnly(bytes, scanned), { traits: traitsOf(inspected) }));
  const source = check(Catrn, frame.data_source_catrn, "data_source_catrn");
  const items = check(ItemCount, frame.items, "items");
  if (source.ok && items.ok) {
    return { body: bytes, inspected, dataSourceCatrn: source.value, scanned };
  }
  const details = [source, items].flatMap((one) => (one.ok ? [] : one.details));
  throw badRequest(summary(details), details);
}

/** A refused item; `index` counts within the batch. `details` is empty once many others have theirs. */
export interface RefusedItem {
  index: number;
  details: ErrorDetail[];
}

/**
 * Passes the valid items of a batch to `take`, in order, and returns the others, which are refused
 * one by one. Only the first `maxDetails` of those get details. Throws the 400 `AppError` of an item
 * that is not JSON, and of one that cannot be stored when no item is valid.
 */
export function validateItems(
  { body, inspected, scanned }: OpenedBatch,
  take: (item: DataEntity, index: number) => void,
): RefusedItem[] {
  const refused: RefusedItem[] = [];
  const marks = new Uint8Array(inspected.marks);
  let unstorable = false;
  for (const [index, { from, to }] of scanned.items.entries()) {
    const path = `items[${index}]`;
    const traits = traitsIn(marks, from, to);
    const value = parseItemText(body.subarray(from, to), path, traits);
    if (value instanceof AppError) {
      unstorable = true;
      const details = refused.length < maxDetails
        ? ofEntity(value.details, unstored(body.subarray(from, to)))
        : [];
      refused.push({ index, details });
      continue;
    }
    const result = DataEntity.safeParse(value, { error: describe });
    if (result.success) take(result.data, index);
    // Explaining what is wrong costs a hundred times as much as detecting that something is.
    else if (refused.length >= maxDetails) refused.push({ index, details: [] });
    else refused.push({ index, details: ofEntity(detailsOf(result.error, path), value) });
  }
  if (unstorable && refused.length === scanned.items.length) throw noneSound(refused);
  return refused;
}

/** Maximum number of characters of a name that an error repeats. */
const shownName = 200;

/** The same details with the entity of the item in their messages, where it is known. */
function ofEntity(details: ErrorDetail[], item: unknown): ErrorDetail[] {
  const { catrn, name } = (item ?? {}) as { catrn?: unknown; name?: unknown };
  const called = [catrn, name].find((one) => typeof one === "string" && one.trim() !== "");
  if (called === undefined) return details;
  const shown = (called as string).replaceAll("\0", "").slice(0, shownName);
  return details.map(({ field, message }) => ({ field, message: `${message} (entity ${shown})` }));
}

/** The value of an item that is JSON but holds what cannot be stored. */
function unstored(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** The value of an item, or the error that says why it cannot be stored and where. */
function parseItemText(bytes: Uint8Array, path: string, traits: JsonTraits): unknown {
  try {
    return parseJson(bytes, { path, traits });
  } catch (error) {
    if (error instanceof AppError && error.details.length > 0) return error;
    throw error;
  }
}

/** At most `maxDetails` wrong places, at least one of each item as far as the limit allows. */
export function refusalDetails(refused: RefusedItem[]): ErrorDetail[] {
  let spare = Math.max(0, maxDetails - refused.length);
  return refused.slice(0, maxDetails).flatMap(({ details }) => {
    const reported = details.slice(0, spare + 1);
    spare -= Math.max(0, reported.length - 1);
    return reported;
  });
}

/** The 400 error of a batch without any valid item. */
export function noneSound(refused: RefusedItem[]): AppError {
  const details = refusalDetails(refused);
  return badRequest(summary(details), details);
}

/** Parses a whole batch. Throws as `openBatch` does, and a 400 `AppError` when any item is invalid. */
export function parseDataEntityList(body: Uint8Array | string): DataEntityList {
  const checked = checkDataEntityList(body);
  if (checked.refused.length > 0) throw noneSound(checked.refused);
  const items = checked.items.map(({ item }) => item);
  return { data_source_catrn: checked.data_source_catrn, items };
}

/** The valid items of a batch, and what is wrong with the others; indexes count within the batch. */
interface CheckedBatch {
  data_source_catrn: string;
  items: { index: number; item: DataEntity }[];
  refused: RefusedItem[];
}

/** Checks a batch item by item. Throws as `openBatch` and `validateItems` do. */
export function checkDataEntityList(
  body: Uint8Array | string,
  inspected?: JsonInspection,
): CheckedBatch {
  const opened = openBatch(body, inspected);
  const items: CheckedBatch["items"] = [];
  const refused = validateItems(opened, (item, index) => items.push({ index, item }));
  return { data_source_catrn: opened.dataSourceCatrn, items, refused };
}

/** The CATRN of an item; `index` counts within the batch. */
export interface NamedItem {
  index: number;
  catrn: string;
}

/** Details for items that share a CATRN with another item; null when all CATRNs differ. */
export function repeatedCatrns(
  items: NamedItem[],
): { message: string; details: ErrorDetail[] } | null {
  const [first, ...others] = duplicateCatrns(items.map(({ catrn }) => catrn));
  if (!first) return null;
  const placeOf = (at: number) => `items[${items[at]!.index}]`;
  const details = [first, ...others].slice(0, maxDetails).map(({ catrn, at }) => ({
    field: `${placeOf(at[1]!)}.catrn`,
    message: `repeats ${catrn} of ${placeOf(at[0]!)}`,
  }));
  const positions = first.at.slice(0, 10).map(placeOf);
  const more = first.at.length > positions.length
    ? ` and ${first.at.length - positions.length} more`
    : "";
  const message = `The batch names ${first.catrn} more than once: ${positions.join(", ")}${more}`;
  return { message, details };
}

/** CATRNs that several items of a batch share, each with the indexes of those items. */
function duplicateCatrns(catrns: string[]): { catrn: string; at: number[] }[] {
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
