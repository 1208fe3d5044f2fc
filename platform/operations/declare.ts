import type { z } from "@hono/zod-openapi";
import type { ActivityEventType } from "#contract/activity.ts";
import type { Actor } from "#contract/actor.ts";
import {
  type Permission,
  type PermissionResource,
  permissionsByResource,
} from "#contract/permissions.ts";
import type { Reply } from "#platform/operations/reply.ts";

export type Schema = z.ZodType;
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** What a permission is asked on; an alert stands for the entity that it is about. */
export interface ResourceRef {
  kind: "data_entity" | "alert" | "term" | "query_example";
  id: number;
}

/** A permission that holds everywhere, or on the one resource that the input names. */
export type PermissionAccess<I> =
  | { permission: Permission; on: "MANAGEMENT" }
  | {
    permission: Permission;
    on: Exclude<PermissionResource, "MANAGEMENT">;
    of: (input: I) => ResourceRef;
  };

/** Who may call: anyone, anyone signed in, or whoever holds a permission. */
export type Access<I> = "anonymous" | "signed-in" | PermissionAccess<I>;

/** What a mutating operation writes to the activity feed, or why it writes nothing. */
export type RecordedActivity = ActivityEventType[] | { none: string };

/** An answer with a JSON body, or none. */
export interface ResponseSpec {
  description: string;
  schema?: Schema;
  /** Set for anything but JSON. */
  contentType?: string;
  headers?: Record<string, string>;
}

export interface OperationSpec<P, Q, B> {
  /** `operationId`, as published. */
  id: string;
  method: Method;
  /** With `{name}` for path parameters. */
  path: string;
  tag: string;
  document: "platform" | "ingestion";
  summary: string;
  access: Access<Validated<P, Q, B>>;
  /** Required on everything that is not a GET. */
  activity?: RecordedActivity;
  params?: P;
  query?: Q;
  body?: B;
  /** How a body is sent: JSON unless told. Files of a multipart body are `File`s to its schema. */
  bodyType?: "json" | "multipart";
  /** Largest body, bytes, where it is not `server.max-body-size`. */
  maxBodyBytes?: number;
  /** A body that the handler reads itself (`request`): documented, not validated. Excludes `body`. */
  rawBody?: Schema;
  responses: Record<number, ResponseSpec>;
  /** Error statuses beyond those that any operation of its kind answers. */
  errors?: number[];
  /** Set where an answer may hold a secret: nobody on its way keeps it. */
  secret?: boolean;
}

type Parsed<T> = T extends Schema ? z.output<T> : undefined;

/** What a caller gave, validated. */
export interface Validated<P, Q, B> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
}

/** What a handler gets: validated input, and who asks. */
export interface Input<P, Q, B> extends Validated<P, Q, B> {
  actor: Actor;
  /** For operations with a raw body, and for headers; only there over HTTP. */
  request: Request;
}

/** An operation with its handler. */
export interface Route {
  // deno-lint-ignore no-explicit-any -- routes of all shapes live in one list
  spec: OperationSpec<any, any, any>;
  // deno-lint-ignore no-explicit-any -- as above
  handler: (input: Input<any, any, any>) => Promise<Reply>;
}

/** Declares an operation once: path, schemas, answers, who may call it and what it records. */
export function operation<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(spec: OperationSpec<P, Q, B>): OperationSpec<P, Q, B> {
  const { id, method, activity, access } = spec;
  if (method !== "get" && !activity) {
    throw new Error(`${id} changes something: declare its activity, or none with the reason`);
  }
  if (typeof access !== "string") {
    const known: readonly string[] = permissionsByResource[access.on];
    if (!known.includes(access.permission)) {
      throw new Error(`${id}: ${access.permission} is no permission on ${access.on}`);
    }
  }
  return spec;
}

/** Binds an operation to the function that answers it. */
export function serve<P, Q, B>(
  spec: OperationSpec<P, Q, B>,
  handler: (input: Input<P, Q, B>) => Promise<Reply>,
): Route {
  return { spec, handler } as Route;
}
