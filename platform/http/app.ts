import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { Clock } from "#kit/clock.ts";
import { type AppError, badRequest, type ErrorDetail } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import type { Metrics } from "#kit/metrics.ts";
import type { Config } from "#platform/config/schema.ts";
import { anonymousAdmin, type Caller } from "#platform/http/caller.ts";
import { discardBody } from "#platform/http/discard.ts";
import { errorReply } from "#platform/http/errors.ts";
import { gate } from "#platform/http/gate.ts";
import { refuseUnknown } from "#platform/http/methods.ts";
import { observeRequests } from "#platform/http/observe.ts";
import { mount, type Route } from "#platform/http/operation.ts";
import { bindMeter, RefusedBodies } from "#platform/http/refused-bodies.ts";
import { AddressShares } from "#platform/http/shares.ts";
import { acceptUpstreamSpelling } from "#platform/http/spelling.ts";
import { takeForms } from "#platform/http/take.ts";

export type AppEnv = {
  Variables: { caller: Caller };
  /** The address that the request came from; absent where there is no socket. */
  Bindings: { client?: string };
};

export interface AppOptions {
  routes: Route[];
  log: Logger;
  metrics: Metrics;
  clock: Clock;
  config: Pick<Config, "server" | "catalog">;
}

/** The HTTP application of a service: its routes, one shape of error, one way of observing. */
export function createApp(options: AppOptions): OpenAPIHono<AppEnv> {
  const { server } = options.config;
  const app = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error, result.target);
    },
  });
  app.use(observeRequests(options));
  app.use("/api/*", acceptUpstreamSpelling);
  app.use(admit(options));
  app.use(refuseUnknown(app));
  app.use(async (c, next) => {
    c.set("caller", anonymousAdmin);
    await next();
  });
  app.onError(async (error, c) => {
    await discardBody(c.req.raw, server["max-body-size"]);
    return errorReply(error, options.log, c.req.raw);
  });
  const forms = takeForms(server);
  for (const route of inMatchingOrder(options.routes)) {
    mount(app as unknown as OpenAPIHono, route, forms);
  }
  return refusingNames(app, options.log);
}

/**
 * The router looks methods up in plain objects, so one that is called as a member of every object
 * (`constructor`) must not reach it.
 */
function refusingNames(app: OpenAPIHono<AppEnv>, log: Logger): OpenAPIHono<AppEnv> {
  const { fetch } = app;
  app.fetch = (request, ...rest) => {
    if (!(request.method in Object.prototype)) return fetch(request, ...rest);
    return errorReply(badRequest("The method of the request is none of HTTP"), log, request);
  };
  return app;
}

/** Who may ask at all, and how much at once; health and metrics are told however much is asked. */
function admit({ config, metrics, clock }: AppOptions): MiddlewareHandler<AppEnv> {
  const check = gate(config);
  const shares = new AddressShares(config.server["max-requests-per-address"]);
  const allowance = config.server["max-refused-bytes-per-address"];
  const bodies = new RefusedBodies({ allowance, metrics, clock });
  const counted = /^\/(api|ingestion)\//;
  return async (c, next) => {
    const request = c.req.raw;
    check(request);
    if (!counted.test(c.req.path)) return await next();
    const client = c.env?.client;
    const meter = bodies.meter(client);
    bindMeter(request, meter);
    await shares.during(client, async () => {
      await next();
      await meter.answered(c.res.status, request.signal);
    });
  };
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
