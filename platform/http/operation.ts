import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import type { ActivityEventType } from "#contract/activity.ts";
import { ErrorResponse } from "#contract/http.ts";
import type { Permission, PermissionResource } from "#contract/permissions.ts";
import type { Caller } from "#platform/http/caller.ts";
import { requireJson } from "#platform/http/take.ts";

type Schema = z.ZodType;
type Method = "get" | "post" | "put" | "patch" | "delete";

/** Who may call: anyone, anyone signed in, or whoever holds a permission (`on` names its resource). */
export type Access =
  | "anonymous"
  | "signed-in"
  | { permission: Permission; on: PermissionResource };

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
  access: Access;
  /** Required on everything that is not a GET. */
  activity?: RecordedActivity;
  params?: P;
  query?: Q;
  body?: B;
  /** A body that the handler reads itself (`request`): documented, not validated. Excludes `body`. */
  rawBody?: Schema;
  responses: Record<number, ResponseSpec>;
  /** Error statuses beyond those that any operation of its kind answers. */
  errors?: number[];
  /** Set where an answer may hold a secret: nobody on its way keeps it. */
  secret?: boolean;
}

type Parsed<T> = T extends Schema ? z.output<T> : undefined;

/** What a handler gets: validated input, the caller, and the request itself for headers. */
export interface Input<P, Q, B> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: Parsed<B>;
  caller: Caller;
  request: Request;
}

/** `json` is text that is sent as it is (finished by the database), `body` is serialised here. */
export interface Reply {
  status: number;
  body?: unknown;
  json?: string;
  /** Anything else, with its content type. */
  raw?: { content: Uint8Array | string; contentType: string };
  headers?: Record<string, string>;
}

/** An operation with its handler, ready to be mounted. */
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
  if (spec.method !== "get" && !spec.activity) {
    throw new Error(`${spec.id} changes something: declare its activity, or none with the reason`);
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

export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  headers,
});
export const okJson = (json: string, headers?: Record<string, string>): Reply => ({
  status: 200,
  json,
  headers,
});
export const noContent = (): Reply => ({ status: 204 });

/**
 * Adds a route to the application, with its part of the OpenAPI document. `forms` reads the bodies of
 * operations that do not read their own; without it they are validated however large they are.
 */
export function mount(app: OpenAPIHono, { spec, handler }: Route, forms?: MiddlewareHandler): void {
  const route = createRoute({
    operationId: spec.id,
    method: spec.method,
    path: spec.path,
    tags: [spec.tag],
    summary: spec.summary,
    middleware: [
      ...(spec.body || spec.rawBody ? [requireJson] : []),
      ...(spec.body && forms ? [forms] : []),
    ],
    request: {
      ...(spec.params ? { params: spec.params } : {}),
      ...(spec.query ? { query: spec.query } : {}),
      ...(spec.body
        ? { body: { required: true, content: { "application/json": { schema: spec.body } } } }
        : {}),
    },
    responses: responsesOf(spec),
    ...extensions(spec),
  });
  if (spec.rawBody) documentRawBody(app, route, spec.rawBody);
  app.openapi(
    (spec.rawBody ? { ...route, hide: true } : route) as never,
    (async (c: Context) => {
      const reply = await handler({
        params: spec.params ? c.req.valid("param" as never) : undefined,
        query: spec.query ? c.req.valid("query" as never) : undefined,
        body: spec.body ? c.req.valid("json" as never) : undefined,
        caller: c.get("caller") as Caller,
        request: c.req.raw,
      });
      return respond(spec.secret ? { ...reply, headers: { ...reply.headers, ...unkept } } : reply);
    }) as never,
  );
}

const unkept = { "cache-control": "no-store" };

/** A body in the route itself would be read and validated before the handler sees it. */
function documentRawBody(app: OpenAPIHono, route: object, schema: Schema): void {
  const { request, middleware: _, ...rest } = route as { request: object; middleware: unknown };
  const body = { required: true, content: { "application/json": { schema } } };
  app.openAPIRegistry.registerPath({ ...rest, request: { ...request, body } } as never);
}

function extensions(spec: Route["spec"]): Record<string, unknown> {
  return {
    "x-access": typeof spec.access === "string" ? spec.access : spec.access.permission,
    ...(spec.activity ? { "x-activity": spec.activity } : {}),
    "x-document": spec.document,
  };
}

function responsesOf(spec: Route["spec"]) {
  const statuses = new Set([
    400,
    ...(spec.method === "get" ? [] : [403]),
    ...(spec.body || spec.rawBody ? [408, 415] : []),
    421,
    429,
    ...(spec.errors ?? []),
    500,
    503,
  ]);
  const answers: Record<number, unknown> = {};
  for (const [status, response] of Object.entries<ResponseSpec>(spec.responses)) {
    answers[Number(status)] = {
      description: response.description,
      ...(response.schema
        ? {
          content: { [response.contentType ?? "application/json"]: { schema: response.schema } },
        }
        : {}),
      ...(response.headers ? { headers: headerDocs(response.headers) } : {}),
    };
  }
  for (const status of statuses) {
    answers[status] ??= {
      description: errorTexts[status] ?? "Error",
      content: { "application/json": { schema: ErrorResponse } },
    };
  }
  return answers as never;
}

function headerDocs(headers: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );
}

const errorTexts: Record<number, string> = {
  400: "The input or the host is wrong; details name the fields",
  401: "Not signed in",
  403: "The caller lacks the permission, or a web page of another site sends this",
  404: "Not found",
  408: "The body came too slowly",
  413: "The body is too large",
  415: "The body is not of a type or encoding that is taken",
  421: "The host that was asked is not served here",
  429: "Too many requests; see Retry-After",
  500: "Internal error",
  503: "An engine is not available; see Retry-After",
};

function respond(reply: Reply): Response {
  const headers = new Headers(reply.headers);
  if (reply.raw) {
    headers.set("content-type", reply.raw.contentType);
    return new Response(reply.raw.content as BodyInit, { status: reply.status, headers });
  }
  const text = reply.json ?? (reply.body === undefined ? null : JSON.stringify(reply.body));
  if (text !== null) headers.set("content-type", "application/json; charset=utf-8");
  return new Response(text, { status: reply.status, headers });
}
