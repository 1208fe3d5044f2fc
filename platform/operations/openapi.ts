import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { ErrorResponse } from "#contract/http.ts";
import type { Access, ResponseSpec, Route, Schema } from "#platform/operations/declare.ts";

type Spec = Route["spec"];

/** The OpenAPI 3.1 document of operations, generated from their schemas. */
export function openApiOf(
  routes: Route[],
  info: { title: string; version: string },
): Record<string, unknown> {
  const app = new OpenAPIHono();
  const used = new Set(routes.flatMap(({ spec }) => Object.keys(schemesOf(spec.access))));
  for (const [name, scheme] of Object.entries({ ...ofPeople, ...ofCollectors })) {
    if (used.has(name)) app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  for (const { spec } of routes) app.openAPIRegistry.registerPath(documented(spec));
  return sorted(app.getOpenAPI31Document({ openapi: "3.1.0", info }));
}

/** Sorts paths and schemas by name, so that a new operation adds lines to the document and moves none. */
function sorted(
  document: ReturnType<OpenAPIHono["getOpenAPI31Document"]>,
): Record<string, unknown> {
  const { paths = {}, components = {}, ...rest } = document;
  const byName = (members: object) =>
    Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...rest,
    components: { ...components, schemas: byName(components.schemas ?? {}) },
    paths: byName(paths),
  };
}

/** How people and their programs authenticate, where they have to. */
const ofPeople = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "SESSION",
    description: "Of the signed-in user",
  },
  serviceKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Of a program",
  },
  personalToken: {
    type: "http",
    scheme: "bearer",
    description: "Of a person's scripts; one of scope READ only where nothing is changed",
  },
} as const;

/** For collectors, where `auth.ingestion.filter.enabled` requires it. */
const ofCollectors = {
  collectorToken: {
    type: "http",
    scheme: "bearer",
    description: "Of a collector or a data source",
  },
} as const;

function schemesOf(access: Access<never>): Record<string, unknown> {
  if (access === "anonymous") return {};
  return access === "collector" ? ofCollectors : ofPeople;
}

function documented(spec: Spec): RouteConfig {
  const body = bodyOf(spec);
  return createRoute({
    operationId: spec.id,
    method: spec.method,
    path: spec.path,
    tags: [spec.tag],
    summary: spec.summary,
    request: {
      ...(spec.params ? { params: spec.params } : {}),
      ...(spec.query ? { query: spec.query } : {}),
      ...(body ? { body: { required: true, content: body } } : {}),
    },
    responses: responsesOf(spec),
    ...securityOf(spec.access),
    ...extensionsOf(spec),
  } as never);
}

const bodyTypes = {
  json: ["application/json"],
  multipart: ["multipart/form-data"],
  csv: ["text/csv"],
  events: ["application/json", "application/x-ndjson"],
};

function bodyOf({ body, rawBody, bodyType = "json" }: Spec) {
  const schema = body ?? rawBody;
  if (!schema) return undefined;
  return Object.fromEntries(bodyTypes[bodyType].map((type) => [type, { schema }]));
}

/** `{}`: where sign-in or the filter is off, no credentials are needed. */
function securityOf(access: Access<never>) {
  if (access === "anonymous") return {};
  return { security: [{}, ...Object.keys(schemesOf(access)).map((name) => ({ [name]: [] }))] };
}

/**
 * `x-access`: a permission, or `anonymous`, `signed-in` or `collector`; `x-access-on`: the type of resource on
 * which a permission is required; `x-access-dormant`: only where `auth.enforce-all-gates` is on.
 */
function extensionsOf(spec: Spec): Record<string, unknown> {
  const { access } = spec;
  return {
    ...(typeof access === "string" ? { "x-access": access } : {
      "x-access": access.permission,
      "x-access-on": access.on,
      ...(access.dormant ? { "x-access-dormant": true } : {}),
    }),
    ...(spec.activity ? { "x-activity": spec.activity } : {}),
    "x-document": spec.document,
  };
}

function responsesOf(spec: Spec) {
  const answers: Record<number, unknown> = {};
  for (const [status, response] of Object.entries(spec.responses)) {
    answers[Number(status)] = {
      description: response.description,
      ...(response.schema ? { content: contentOf(response, response.schema) } : {}),
      ...(response.headers ? { headers: headerDocs(response.headers) } : {}),
    };
  }
  for (const status of errorsOf(spec)) {
    answers[status] ??= {
      description: errorTexts[status] ?? "Error",
      content: { "application/json": { schema: spec.errorBody?.schema ?? ErrorResponse } },
    };
  }
  return answers as never;
}

function contentOf(
  { contentType = "application/json", textTypes = [] }: ResponseSpec,
  schema: Schema,
) {
  return Object.fromEntries([
    ...[contentType].flat().map((type) => [type, { schema }]),
    ...textTypes.map((type) => [type, { schema: z.string() }]),
  ]);
}

function errorsOf({ access, method, body, rawBody, errors = [] }: Spec): Set<number> {
  return new Set([
    400,
    ...(access === "anonymous" ? [] : [401]),
    ...(method === "get" && (access === "anonymous" || access === "collector") ? [] : [403]),
    ...(body || rawBody ? [408, 415] : []),
    421,
    429,
    ...errors,
    500,
    503,
  ]);
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
  421: "The requested host is not served here",
  429: "Too many requests; see Retry-After",
  500: "Internal error",
  503: "An engine is not available; see Retry-After",
};
