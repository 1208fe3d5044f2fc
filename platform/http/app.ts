import type { Context } from "#platform/context.ts";
import { Hono, type MiddlewareHandler } from "hono";
import { badRequest } from "#kit/errors.ts";
import type { Logger } from "#kit/log.ts";
import { basePathOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import { crossOrigin, gate } from "#platform/http/origins.ts";
import { discardBody } from "#platform/http/body.ts";
import { type AppEnv, observeRequests, refuseUnknown } from "#platform/http/requests.ts";
import { busyErrorsOf, errorBodiesOf, errorReply } from "#platform/http/errors.ts";
import { type Fallback, mountPage, otherPaths, type Page, toSignIn } from "#platform/http/pages.ts";
import { mount } from "#platform/http/mount.ts";
import { bindMeter, RefusalDelay, RefusedBodies } from "#platform/http/refusals.ts";
import { AddressShares, CallerShares, WriteBudget } from "#platform/http/shares.ts";
import { FormReader } from "#platform/http/take.ts";
import { type AccessControl, openAccess } from "#platform/operations/access.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { ProcessFigures } from "#platform/ops/history.ts";

interface AppOptions extends Pick<Context, "log" | "metrics" | "clock"> {
  routes: Route[];
  pages?: Page[];
  /** For paths that nothing else serves. */
  fallback?: Fallback;
  /** Authenticates and authorizes callers; by default everyone may do everything. */
  access?: AccessControl;
  config: Pick<Config, "server" | "catalog">;
  /** Counts the answers of this process. */
  figures?: ProcessFigures;
}

/** The HTTP application of a service: its routes, with uniform errors and observation. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { config: { server }, access = openAccess } = options;
  const app = new Hono<AppEnv>();
  app.use(observeRequests(options));
  app.use(crossOrigin(options));
  app.use(belowBasePath(basePathOf(options.config)));
  app.use(admit(options));
  const callers = new CallerShares(options);
  if (options.fallback) app.use(otherPaths(options.fallback, { access, shares: callers }));
  app.use(refuseUnknown(app));
  const understood = busyErrorsOf(options.routes);
  const errorBodyOf = errorBodiesOf(options.routes);
  app.onError(async (error, c) => {
    await discardBody(c.req.raw, server["max-body-size"]);
    const mapped = understood(error, c.req.path);
    const reply = () => errorReply(mapped, options.log, c.req.raw, errorBodyOf(c.req.path));
    return toSignIn(mapped, c.req.raw, access) ?? reply();
  });
  const { pages = [], routes } = options;
  const forms = new FormReader(server);
  const budget = new WriteBudget(options);
  for (const route of inMatchingOrder(routes)) {
    mount(app, route, { forms, access, shares: callers, budget });
  }
  for (const page of pages) mountPage(app, page, { access, shares: callers });
  return refusingNames(app, options.log);
}

/**
 * The router looks methods up in plain objects, so a method named like an inherited member (`constructor`)
 * must not reach it.
 */
function refusingNames(app: Hono<AppEnv>, log: Logger): Hono<AppEnv> {
  const { fetch } = app;
  app.fetch = (request, ...rest) => {
    if (!(request.method in Object.prototype)) return fetch(request, ...rest);
    return errorReply(badRequest("The request method is not an HTTP method"), log, request);
  };
  return app;
}

/** Redirects to our own paths lead below the path at which a proxy serves this service. */
function belowBasePath(base: string): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const location = c.res.headers.get("location");
    if (base !== "" && location && /^\/(?!\/)/.test(location)) {
      c.res.headers.set("location", base + location);
    }
  };
}

/** Checks who may send requests, and how many at once; health and metrics are exempt from that limit. */
function admit({ config, metrics, clock }: AppOptions): MiddlewareHandler<AppEnv> {
  const check = gate(config);
  const shares = new AddressShares(config.server["max-requests-per-address"]);
  const allowance = config.server["max-refused-bytes-per-address"];
  const bodies = new RefusedBodies({ allowance, metrics, clock });
  const refusals = new RefusalDelay(clock, metrics);
  const counted = /^\/(api|ingestion|integrations\/datahub|login|logout|mcp|oauth2)(\/|$)/;
  return async (c, next) => {
    const request = c.req.raw;
    check(request);
    if (!counted.test(c.req.path)) return await next();
    const payer = payerOf(c.req.path, c.env?.client);
    const meter = bodies.meter(payer);
    bindMeter(request, meter);
    await shares.during(payer, async () => {
      await next();
      await meter.answered(c.res.status, request);
      const signal = () => request.signal;
      await refusals.answered(c.env?.client, c.res.status, { path: c.req.path, signal });
    });
  };
}

/** Entrances for people and programs that are not known yet, each with a share of its own for an address. */
const entrances = /^\/(api\/chat\/events|login|logout|oauth2)(?=\/|$)/;

/** Who is charged for a request: strangers who share an address with collectors do not use up what those may send. */
function payerOf(path: string, client: string | undefined): string | undefined {
  const [, entrance] = entrances.exec(path) ?? [];
  return entrance === undefined || client === undefined ? client : `${client} ${entrance}`;
}

/** A literal segment is matched before a parameter in the same place, whatever the order of declaration. */
export function inMatchingOrder(routes: Route[]): Route[] {
  const rank = (route: Route) =>
    route.spec.path.split("/").map((s) => (s.startsWith("{") ? "~" : `!${s}`)).join("/");
  return [...routes].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
