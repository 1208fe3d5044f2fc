import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import type { Context, Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Clock } from "#kit/clock.ts";
import { clientError, notFound } from "#kit/errors.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { ProcessFigures } from "#platform/ops/history.ts";

/** Context of a request within the application. */
export type AppEnv = {
  /** Remote address of the request; absent where there is no socket. */
  Bindings: { client?: string };
};

/**
 * Answers requests that match no route, before their body is read: 404 for an unknown path, 405 with `Allow`
 * for a method that the path lacks, and OPTIONS.
 */
export function refuseUnknown(app: Pick<Hono, "router">): MiddlewareHandler {
  return async (c, next) => {
    if (matchedRoutes(c).some(isRoute)) return await next();
    const { method, path } = c.req;
    const allowed = allowedMethods(app, path);
    if (allowed.length === 0) throw notFound("path", `${methodLabel(method)} ${path}`);
    const allow = allowed.join(", ");
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow } });
    const message = `${path} takes ${allow}, not ${methodLabel(method)}`;
    throw clientError(405, message, { headers: { allow } });
  };
}

/** Middleware is registered for ALL methods, routes are not. */
export const isRoute = ({ method }: { method: string }) => method !== "ALL";

const routedMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const knownMethods = new Set([...routedMethods, "HEAD", "OPTIONS", "CONNECT", "TRACE", "QUERY"]);

/** The method as a metric label: any method unknown to HTTP is `_OTHER`, as in OpenTelemetry. */
function methodLabel(method: string): string {
  return knownMethods.has(method) ? method : "_OTHER";
}

function allowedMethods(app: Pick<Hono, "router">, path: string): string[] {
  const own = routedMethods.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => isRoute(route))
  );
  if (own.length === 0) return [];
  return [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
}

const tracer = trace.getTracer("tributary.http");

/** Reads single headers: parsing all of a request costs more than the rest of its observation. */
const carried: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Records one span and one observation per request; named by route template to bound their number. */
export function observeRequests(
  options: { metrics: Metrics; clock: Clock; figures?: ProcessFigures },
): MiddlewareHandler {
  const duration = options.metrics.histogram(
    "tributary_http_request_duration_seconds",
    "Time to answer a request",
    ["method", "route", "status"],
  );
  return async (c, next) => {
    const started = options.clock.now();
    const parent = propagation.extract(context.active(), c.req.raw.headers, carried);
    const method = methodLabel(c.req.method);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    try {
      await context.with(trace.setSpan(parent, span), next);
    } finally {
      const route = routeTemplate(c);
      const status = c.res.status;
      // Health and metrics are asked by machines, and 503 is an answer of theirs.
      if (!/^\/(health\/|metrics$)/.test(c.req.path)) options.figures?.answered(status);
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      duration.observe(
        { method, route, status: String(status) },
        (options.clock.now() - started) / 1_000,
      );
    }
  };
}

/** The template of the route that matches the request; `unmatched` when none does. */
function routeTemplate(c: Context): string {
  return matchedRoutes(c).findLast(isRoute)?.path ?? "unmatched";
}
