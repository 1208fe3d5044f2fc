import type { z } from "@hono/zod-openapi";
import { maxDetails } from "#contract/bounded.ts";
import { badRequest, type ErrorDetail } from "#kit/errors.ts";
import { isObject } from "#kit/own.ts";
import { elementsOf, keyText, membersOf, skipSpace, type Slice, stringText } from "./bytes.ts";
import { type JsonInspection, traitsOf } from "./inspect.ts";
import { parseJson } from "./json.ts";
import { fieldPath } from "./values.ts";

type ParseResult<T> = { ok: true; value: T } | { ok: false; details: ErrorDetail[] };

/** Validates `value` and never throws; `path` (`items[3]`) is put before the field of each detail. */
export function check<S extends z.ZodType>(
  schema: S,
  value: unknown,
  path = "",
): ParseResult<z.output<S>> {
  const result = schema.safeParse(value, { error: describe });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, details: detailsOf(result.error, path) };
}

/** The first `maxDetails` issues of a failed validation. */
export function detailsOf({ issues }: z.ZodError, path: string): ErrorDetail[] {
  return issues.slice(0, maxDetails).map((issue) => ({
    field: fieldPath(issue.path, path),
    message: issue.message,
  }));
}

/** As `check`, but throws a 400 `AppError` when anything is wrong. */
export function parseWith<S extends z.ZodType>(schema: S, value: unknown, path = ""): z.output<S> {
  const result = check(schema, value, path);
  if (result.ok) return result.value;
  throw badRequest(summary(result.details), result.details);
}

/**
 * Parses and validates the JSON body of an operation. Throws a 400 `AppError` with field paths. The
 * body is not inspected again when `inspected` is given.
 */
export function parseBody<S extends z.ZodType>(
  schema: S,
  body: Uint8Array | string,
  inspected?: JsonInspection,
): z.output<S> {
  const traits = inspected && traitsOf(inspected);
  return parseWith(schema, objectOf(parseJson(body, traits && { traits })));
}

/** Returns `value` if it is an object; throws a 400 `AppError` otherwise. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  throw badRequest("The body must be a JSON object");
}

/** A refusal in one line. */
export function summary([first, ...rest]: ErrorDetail[]): string {
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more)`;
  return `The body is not valid: ${first?.field ?? ""} ${first?.message ?? ""}${more}`;
}

/** Our own messages for zod issues; undefined keeps the message of the schema. */
export function describe(issue: z.core.$ZodRawIssue): string | undefined {
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

/** The byte ranges of a batch within its body; nothing is copied. */
export interface ScannedBatch {
  /** The text of `data_source_catrn`; undefined when it is absent or not a string. */
  dataSourceCatrn: string | undefined;
  items: Slice[];
}

/**
 * Finds the data source and the items of a batch by scanning bytes, without parsing. For a body that
 * is not valid JSON, returns whatever could be read. The last of several equal keys wins, as in
 * `JSON.parse`. A byte-order mark is skipped.
 */
export function scanBatch(body: Uint8Array): ScannedBatch {
  const scanned: ScannedBatch = { dataSourceCatrn: undefined, items: [] };
  for (const { key, value } of membersOf(body, skipSpace(body, markLength(body)))) {
    const name = keyText(body, key);
    if (name === "data_source_catrn") scanned.dataSourceCatrn = stringText(body, value);
    if (name === "items") scanned.items = [...elementsOf(body, value.from)];
  }
  return scanned;
}

/** Length of the byte-order mark that `bytes` start with, 0 or 3. */
export function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Whether an item carries `data_entity_group`; groups are applied after the entities they may name. */
export function isGroup(bytes: Uint8Array, { from }: Slice): boolean {
  let group = false;
  for (const { key, value } of membersOf(bytes, from)) {
    // The key is at least 17 bytes, escaped or not. Only an object counts; an explicit null means
    // absent.
    if (key.to - key.from >= 17 && keyText(bytes, key) === "data_entity_group") {
      group = bytes[value.from] === 0x7b;
    }
  }
  return group;
}
