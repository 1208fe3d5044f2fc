import type { z } from "@hono/zod-openapi";
import { type AppError, badRequest, type ErrorDetail, forbidden } from "#kit/errors.ts";
import type { Authorizer, Needed } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Access, Route, Schema, Validated } from "#platform/operations/declare.ts";
import type { Reply } from "#platform/operations/reply.ts";

/** The raw input of a call, not validated yet. */
export interface Given {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  request: Request;
}

/**
 * Refuses a caller who may not make this call whatever its input, before that is read: 401 when not signed in,
 * 403 for a token that may only read.
 */
export async function admit(
  { spec }: Route,
  caller: Caller,
  authorizer: Authorizer,
): Promise<void> {
  const { access, method, reads } = spec;
  await authorizer.authorize(caller, typeof access === "string" ? access : "signed-in");
  if (caller.readOnly && method !== "get" && !reads) {
    throw forbidden("This token may only read (scope READ)");
  }
}

/**
 * Runs one call of an operation, independent of protocol: admits the caller, validates, authorizes, then calls
 * the handler. Throws an `AppError` 400 that names every invalid field, and the errors of the authorizer and the
 * handler.
 */
export async function call(
  route: Route,
  given: Given,
  actor: Caller,
  authorizer: Authorizer,
): Promise<Reply> {
  const { spec, handler } = route;
  await admit(route, actor, authorizer);
  const input = {
    query: await validated(spec.query, given.query, "query"),
    params: await validated(spec.params, given.params, "path"),
    body: await validated(spec.body, given.body, "body"),
  };
  const needed = neededFor(spec.access, input);
  if (needed) await authorizer.authorize(actor, needed);
  return await handler({ ...input, actor, request: given.request });
}

type AnyInput = Validated<Schema, Schema, Schema>;

/** The permission that this input requires; undefined where none is. */
function neededFor(access: Access<AnyInput>, input: AnyInput): Needed | undefined {
  if (typeof access === "string") return undefined;
  const { permission, dormant } = access;
  const resource = access.on === "MANAGEMENT" ? null : access.of(input);
  return { permission, resource, ...(dormant ? { dormant } : {}) };
}

async function validated(schema: Schema | undefined, value: unknown, place: string) {
  if (!schema) return undefined;
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  throw invalidInput(result.error, place);
}

/** An error that lists all invalid fields. */
function invalidInput(error: z.ZodError, place: string): AppError {
  const details = error.issues.slice(0, 50).map((issue): ErrorDetail => ({
    field: fieldPath(issue.path) || place,
    message: plainly(issue),
  }));
  const first = details[0];
  return badRequest(
    first ? `Invalid ${place}: ${first.field}: ${first.message}` : "Invalid input",
    details,
  );
}

/** zod reports a missing value as undefined, which means nothing to authors of JSON. */
function plainly({ code, message }: z.core.$ZodIssue): string {
  return code === "invalid_type" && /received undefined$/.test(message) ? "is required" : message;
}

/** `["items", 3, "name"]` as `items[3].name`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((step, at) =>
    typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`
  ).join("");
}
