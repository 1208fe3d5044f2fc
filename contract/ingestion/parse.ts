import type { z } from "@hono/zod-openapi";
import { maxDetails } from "#contract/bounded.ts";
import { badRequest, type ErrorDetail } from "#kit/errors.ts";
import { type JsonInspection, traitsOf } from "./inspect.ts";
import { parseJson } from "./json.ts";
import { fieldPath } from "./path.ts";

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
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
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
