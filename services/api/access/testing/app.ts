import type { Context } from "#platform/context.ts";
import { silentLogger } from "#kit/log.ts";
import { noMetrics } from "#kit/metrics.ts";
import { systemClock } from "#kit/clock.ts";
import { createApp } from "#platform/http/app.ts";
import type { Route } from "#platform/operations/declare.ts";
import type { Access } from "#services/api/access/service.ts";

/** The application with its sign-in pages, over these routes; `address` of the client comes second. */
export function appWith(access: Access, routes: Route[], { config }: Pick<Context, "config">) {
  const app = createApp({
    routes,
    access,
    pages: access.pages,
    log: silentLogger,
    metrics: noMetrics,
    clock: systemClock,
    config,
  });
  return (request: Request, client: string) => app.fetch(request, { client });
}
