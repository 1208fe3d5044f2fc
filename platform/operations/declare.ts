import type { z } from "@hono/zod-openapi";
import type { ActivityEventType } from "#contract/activity.ts";
import {
  type Permission,
  type PermissionResource,
  permissionsByResource,
} from "#contract/permissions.ts";
import type { Caller } from "#platform/operations/caller.ts";

export type Schema = z.ZodType;
type Method = "get" | "post" | "put" | "patch" | "delete";

/** The resource on which a permission is checked; an alert and a dataset field are checked by their entity. */
export interface ResourceRef {
  kind: "data_entity" | "alert" | "dataset_field" | "term" | "query_example";
  id: number;
}

/**
 * A permission that is required globally, or on the resource that the path names: it is checked before the rest of
 * the request is read. `dormant`: the published contract says that the permission is never required; only
 * `auth.enforce-all-gates` requires it.
 */
export type PermissionAccess<P> =
  | { permission: Permission; on: "MANAGEMENT"; dormant?: true }
  | {
    permission: Permission;
    on: Exclude<PermissionResource, "MANAGEMENT">;
    of: (input: { params: P }) => ResourceRef;
    dormant?: true;
  };

/** Who may call: anyone, any signed-in user, a collector (anyone without its filter), or a user with a permission. */
export type Access<P> = "anonymous" | "signed-in" | "collector" | PermissionAccess<P>;

/** The events that a mutating operation writes to the activity feed, or why it writes none. */
type RecordedActivity = ActivityEventType[] | { none: string };

/** A response with a JSON body, or without a body. */
export interface ResponseSpec {
  description: string;
  schema?: Schema;
  /** Content type of a body that is not JSON, or all that it may have. */
  contentType?: string | string[];
  /** Content types that the body may have instead, as text without a declared shape. */
  textTypes?: string[];
  headers?: Record<string, string>;
}

type Responses = Record<number, ResponseSpec>;

interface OperationSpec<P, Q, B, R extends Responses> {
  /** `operationId`, as published. */
  id: string;
  method: Method;
  /** Path parameters are written `{name}`. */
  path: string;
  tag: string;
  /** The OpenAPI document that describes it; that of the platform by default. */
  document?: "platform" | "ingestion";
  summary: string;
  access: Access<Output<P>>;
  /** Required for every method but GET, which may share a declaration that has it. */
  activity?: RecordedActivity;
  params?: P;
  query?: Q;
  body?: B;
  /**
   * Encoding of the body, JSON by default. The schema sees files of a multipart body as `File`; CSV and `events` (any
   * JSON, lines of JSON, or no type at all) are always a `rawBody`.
   */
  bodyType?: "json" | "multipart" | "csv" | "events";
  /** Further paths that lead here, of clients that spell it so; they are not documented. */
  aliases?: string[];
  /** Largest body in bytes, when it differs from `server.max-body-size`. */
  maxBodyBytes?: number;
  /** A body that the handler reads itself (`request`): documented, not validated. Excludes `body`. */
  rawBody?: Schema;
  responses: R;
  /** Error statuses in addition to those that every operation may answer; by default 404 where the path has parameters. */
  errors?: number[];
  /**
   * The status that its callers treat as retryable instead of 429, after which they would not retry;
   * of paths without parameters.
   */
  busyStatus?: 503;
  /** The body of an error, for clients of another service that expect theirs; of all paths that begin like this one. */
  errorBody?: { schema: Schema; of: (error: { status: number; message: string }) => unknown };
  /** Set when the response may contain a secret: it must not be cached. */
  secret?: boolean;
  /** Set when an operation that is no GET only reads, so that a token that may only read may call it. */
  reads?: boolean;
}

/** A declared operation, with the defaults. */
type Operation<P, Q, B, R extends Responses> =
  & OperationSpec<P, Q, B, R>
  & Required<Pick<OperationSpec<P, Q, B, R>, "document" | "errors">>;

type Output<T> = T extends Schema ? z.output<T> : undefined;

/** The validated input of a call. */
interface ValidatedInput<P, Q, B> {
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
}

/** The argument of a handler: validated input, and who calls. */
interface Input<P, Q, B> extends ValidatedInput<P, Q, B> {
  actor: Caller;
  /** For raw bodies and for headers; present only when called over HTTP. */
  request: Request;
}

/** `json` is finished JSON text, sent unchanged (built by the database); `body` is serialised. */
export interface Reply {
  status: number;
  body?: unknown;
  json?: string;
  /** Content that is not JSON, with its content type; a stream is not buffered. */
  raw?: { content: Uint8Array | string | ReadableStream<Uint8Array>; contentType: string };
  headers?: Record<string, string>;
}

/**
 * What a handler returns: finished JSON text for status 200, nothing for an operation that answers 204, or a whole
 * response.
 */
type Result<R> = 204 extends keyof R ? Reply | void : Reply | string;

/** An operation with its handler. */
export interface Route {
  /** Why it is disabled by the configuration: an authorized caller gets 404, whatever is sent. */
  off?: string;
  // deno-lint-ignore no-explicit-any -- routes of all shapes live in one list
  spec: Operation<any, any, any, Responses>;
  // deno-lint-ignore no-explicit-any -- as above
  handler: (input: Input<any, any, any>) => Promise<Reply>;
}

/** Declares an operation: path, schemas, responses, who may call it and what it records. */
export function operation<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  const R extends Responses = Responses,
>(spec: OperationSpec<P, Q, B, R>): Operation<P, Q, B, R> {
  const { id, method, activity, access, params, document = "platform" } = spec;
  if (method !== "get" && !activity) {
    throw new Error(`${id} changes something: declare its activity, or none with the reason`);
  }
  if (typeof access !== "string") {
    const known: readonly string[] = permissionsByResource[access.on];
    if (!known.includes(access.permission)) {
      throw new Error(`${id}: ${access.permission} is no permission on ${access.on}`);
    }
  }
  return { ...spec, document, errors: spec.errors ?? (params ? [404] : []) };
}

/** Binds an operation to its handler. */
export function serve<P, Q, B, R extends Responses>(
  spec: OperationSpec<P, Q, B, R>,
  handler: (input: Input<P, Q, B>) => Result<R> | Promise<Result<R>>,
): Route {
  const toReply = async (input: Input<P, Q, B>) => replyOf(await handler(input));
  return { spec, handler: toReply } as Route;
}

function replyOf(result: Reply | string | void): Reply {
  if (typeof result === "object") return result;
  return result === undefined ? { status: 204 } : okJson(result);
}

/** Status 200 with a body that is serialised to JSON. */
export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  headers,
});

/** Status 200 with finished JSON text; needed only with headers, as handlers may return the text alone. */
export const okJson = (json: string, headers?: Record<string, string>): Reply => ({
  status: 200,
  json,
  headers,
});
