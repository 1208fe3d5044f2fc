import { z } from "@hono/zod-openapi";
import { boundedArray, maxDetails } from "#contract/bounded.ts";
import { badRequest, type ErrorDetail } from "#kit/errors.ts";
import { parseJson } from "./json.ts";
import { maxItems } from "./limits.ts";
import { fieldPath } from "./path.ts";
import { DataEntity, DataEntityList, noItems } from "./schema.ts";
import { Catrn } from "./values.ts";

export type Checked<T> = { ok: true; value: T } | { ok: false; details: ErrorDetail[] };

/** Validates `value`; `path` stands before the field of each detail (`items[3]`). Never throws. */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  path = "",
): Checked<z.output<S>> {
  const result = schema.safeParse(value, { error: describe });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, details: detailsOf(result.error, path) };
}

function detailsOf({ issues }: z.ZodError, path: string): ErrorDetail[] {
  return issues.slice(0, maxDetails).map((issue) => ({
    field: fieldPath(issue.path, path),
    message: issue.message,
  }));
}

/** As `check`, but throws the 400 `AppError` of whatever is wrong. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, path = ""): z.output<S> {
  const result = check(schema, value, path);
  if (result.ok) return result.value;
  throw badRequest(summary(result.details), result.details);
}

/** Parses and validates the JSON body of an operation. Throws a 400 `AppError` with field paths. */
export function parseBody<S extends z.ZodType>(schema: S, body: Uint8Array | string): z.output<S> {
  return parseWith(schema, objectOf(parseJson(body)));
}

/** A whole batch. Throws a 400 `AppError` whose details name every wrong field (the first 100). */
export function parseDataEntityList(body: Uint8Array | string): DataEntityList {
  return parseBody(DataEntityList, body);
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

/** The rules of a list of items but those for each item. */
const ItemCount = boundedArray(z.unknown(), maxItems).min(1, { error: noItems });

/**
 * As `parseDataEntityList`, but a wrong item refuses itself alone. Throws a 400 `AppError` only when
 * the batch cannot be read at all: not JSON, no data source, no items.
 */
export function checkDataEntityList(body: Uint8Array | string): CheckedBatch {
  const list = objectOf(parseJson(body));
  const source = parseWith(Catrn, list.data_source_catrn, "data_source_catrn");
  const items = parseWith(ItemCount, list.items, "items");
  const batch: CheckedBatch = { data_source_catrn: source, items: [], refused: [] };
  let told = 0;
  items.forEach((value, index) => {
    const result = DataEntity.safeParse(value, { error: describe });
    if (result.success) return batch.items.push({ index, item: result.data });
    // To say what is wrong costs a hundred times as much as to see that something is.
    const details = told < maxDetails ? detailsOf(result.error, `items[${index}]`) : [];
    told += details.length;
    batch.refused.push({ index, details });
  });
  return batch;
}

/** CATRNs that several items of one batch carry, each with the indexes of its items. */
export function duplicateCatrns(items: { catrn: string }[]): { catrn: string; at: number[] }[] {
  const seen = new Map<string, number[]>();
  items.forEach(({ catrn }, index) => {
    const at = seen.get(catrn);
    if (at) at.push(index);
    else seen.set(catrn, [index]);
  });
  return [...seen].filter(([, at]) => at.length > 1).map(([catrn, at]) => ({ catrn, at }));
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw badRequest("The body must be a JSON object");
}

function summary([first, ...rest]: ErrorDetail[]): string {
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return `The body is not valid: ${first?.field ?? ""} ${first?.message ?? ""}${more}`;
}

/** Messages of our own for what zod finds; undefined leaves the schema's. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type" || issue.code === "invalid_value") {
    if (issue.input === undefined) return "is required";
  }
  if (issue.code === "invalid_type") return `must be ${article(String(issue.expected))}`;
  if (issue.code === "invalid_value") {
    const values = (issue.values as unknown[]).join(", ");
    return (issue.values as unknown[]).length > 1
      ? `must be one of ${values}`
      : `must be ${values}`;
  }
  if (issue.code === "invalid_union" && issue.discriminator) {
    return "must be ERDRelationship or GraphRelationship";
  }
  return undefined;
}

function article(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
