import type { z } from "@hono/zod-openapi";
import { AppError, forbidden, invalidFields, maxFields } from "#kit/errors.ts";
import type { AccessRequirement, Authorizer } from "#platform/operations/access.ts";
import type { Caller } from "#platform/operations/caller.ts";
import type { Access, Reply, Route, Schema } from "#platform/operations/declare.ts";

/** The raw input of a call, not validated yet. */
export interface CallInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  request: Request;
}

/** A call that its caller may make. Only `admit` makes one, so that no way to a handler passes by it. */
interface AdmittedCall {
  readonly route: Route;
  readonly actor: Caller;
  readonly params: unknown;
}

/**
 * Admits a caller to an operation on what the path names, before anything else of the request is read. Throws an
 * `AppError` 401 or 403, 404 for an operation that is switched off, and 400 for a path that is not valid.
 */
export async function admit(
  route: Route,
  given: Pick<CallInput, "params">,
  actor: Caller,
  authorizer: Authorizer,
): Promise<AdmittedCall> {
  const { access, method, reads, params: schema } = route.spec;
  await authorizer.authorize(actor, typeof access === "string" ? access : "signed-in");
  if (actor.readOnly && method !== "get" && !reads) {
    throw forbidden("This token may only read (scope READ)");
  }
  if (route.off) throw new AppError(route.off, { status: 404, code: "USR002" });
  const params = await validated(schema, given.params, "path");
  const needed = permissionFor(access, params);
  if (needed) await authorizer.authorize(actor, needed);
  return { route, actor, params };
}

/**
 * Runs an admitted call: validates the rest of its input, then calls the handler. Throws an `AppError` 400 that
 * names every invalid field, and the errors of the handler.
 */
export async function run(
  { route, actor, params }: AdmittedCall,
  given: CallInput,
): Promise<Reply> {
  const { spec, handler } = route;
  const query = await validated(spec.query, given.query, "query");
  const body = await validated(spec.body, given.body, "body");
  return await handler({ params, query, body, actor, request: given.request });
}

/** Admits a caller and runs the call, independent of protocol. */
export async function call(
  route: Route,
  given: CallInput,
  actor: Caller,
  authorizer: Authorizer,
): Promise<Reply> {
  return await run(await admit(route, given, actor, authorizer), given);
}

/** The permission that is required on what the path names; undefined where none is. */
function permissionFor(access: Access<unknown>, params: unknown): AccessRequirement | undefined {
  if (typeof access === "string") return undefined;
  const { permission, dormant } = access;
  const resource = access.on === "MANAGEMENT" ? null : access.of({ params });
  return { permission, resource, ...(dormant ? { dormant } : {}) };
}

async function validated(schema: Schema | undefined, value: unknown, place: string) {
  if (!schema) return undefined;
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  throw invalidInput(result.error, place);
}

function invalidInput(error: z.ZodError, place: string): AppError {
  const details = error.issues.slice(0, maxFields).map((issue) => ({
    field: fieldPath(issue.path) || place,
    message: plainly(issue),
  }));
  return invalidFields(place, details);
}

/** zod reports a missing value as undefined, which means nothing to authors of JSON. */
export function plainly({ code, message }: z.core.$ZodIssue): string {
  return code === "invalid_type" && /received undefined$/.test(message) ? "is required" : message;
}

/** `["items", 3, "name"]` as `items[3].name`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((step, at) =>
    typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`
  ).join("");
}
