import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from "@opentelemetry/api";
import type { MiddlewareHandler } from "hono";
import type { Clock } from "#kit/clock.ts";
import type { Metrics } from "#kit/metrics.ts";
import { methodLabel, routeTemplate } from "#platform/http/methods.ts";
import type { ProcessFigures } from "#platform/ops/history/report.ts";

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
