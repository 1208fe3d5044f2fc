import type { Context, Hono, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { AppError, notFound } from "#kit/errors.ts";

/** Methods that our routes may have. */
const routed = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const known = new Set([...routed, "HEAD", "OPTIONS", "CONNECT", "TRACE", "QUERY"]);

/** The method as a metric label: any method unknown to HTTP is `_OTHER`, as in OpenTelemetry. */
export function methodLabel(method: string): string {
  return known.has(method) ? method : "_OTHER";
}

/** The template of the route that matches the request; `unmatched` when none does. */
export function routeTemplate(c: Context): string {
  return matchedRoutes(c).findLast(isRoute)?.path ?? "unmatched";
}

/** Middleware is registered for ALL methods, routes are not. */
export const isRoute = ({ method }: { method: string }) => method !== "ALL";

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
    throw new AppError(`${path} takes ${allow}, not ${methodLabel(method)}`, {
      status: 405,
      code: "USR001",
      resolvable: true,
      headers: { allow },
    });
  };
}

function allowedMethods(app: Pick<Hono, "router">, path: string): string[] {
  const own = routed.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => isRoute(route))
  );
  if (own.length === 0) return [];
  return [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
}
