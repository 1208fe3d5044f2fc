import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { bodyLimit } from "hono/body-limit";
import type { Clock } from "#kit/clock.ts";
import { type AppError, badRequest, type ErrorDetail } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import { anonymousAdmin, type Caller } from "#platform/http/caller.ts";
import { errorReply, notFoundReply } from "#platform/http/errors.ts";
import { observeRequests } from "#platform/http/observe.ts";
import { mount, type Route } from "#platform/http/operation.ts";
import { acceptUpstreamSpelling } from "#platform/http/spelling.ts";

export type AppEnv = { Variables: { caller: Caller } };

export interface AppOptions {
  routes: Route[];
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  /** Largest body of an operation that does not read its own, bytes. */
  maxBodyBytes?: number;
}

/** The HTTP application of a service: its routes, one shape of error, one way of observing. */
export function createApp(options: AppOptions): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error, result.target);
    },
  });
  app.use(observeRequests(options));
  app.use("/api/*", limitBody(options.maxBodyBytes ?? 5 * 1_048_576));
  app.use("/api/*", acceptUpstreamSpelling);
  app.use(async (c, next) => {
    c.set("caller", anonymousAdmin);
    await next();
  });
  app.onError((error, c) => errorReply(error, options.log, c.req.raw));
  app.notFound((c) => notFoundReply(c.req.method, c.req.path));
  for (const route of inMatchingOrder(options.routes)) mount(app as unknown as OpenAPIHono, route);
  return app;
}

function limitBody(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw badRequest(`The body is larger than ${maxSize} bytes`);
    },
  });
}

/** A literal segment is tried before a parameter in the same place, whoever was declared first. */
export function inMatchingOrder(routes: Route[]): Route[] {
  const rank = (route: Route) =>
    route.spec.path.split("/").map((s) => (s.startsWith("{") ? "~" : `!${s}`)).join("/");
  return [...routes].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}

const places = new Map(Object.entries({ json: "body", param: "path", query: "query" }));

/** All that is wrong with the input, by field. */
export function invalidInput(error: z.ZodError, target: string): AppError {
  const details = error.issues.slice(0, 50).map((issue): ErrorDetail => ({
    field: fieldPath(issue.path) || (places.get(target) ?? target),
    message: plainly(issue),
  }));
  const first = details[0];
  return badRequest(
    first
      ? `Invalid ${places.get(target) ?? target}: ${first.field}: ${first.message}`
      : "Invalid input",
    details,
  );
}

/** zod calls what is missing undefined, which means nothing to somebody who writes JSON. */
function plainly({ code, message }: z.core.$ZodIssue): string {
  return code === "invalid_type" && /received undefined$/.test(message) ? "is required" : message;
}

/** `["items", 3, "name"]` as `items[3].name`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.map((step, at) =>
    typeof step === "number" ? `[${step}]` : `${at > 0 ? "." : ""}${String(step)}`
  ).join("");
}
