import type { Context, MiddlewareHandler } from "hono";
import type { Config } from "#platform/config/schema.ts";
import type { Route } from "#platform/operations/declare.ts";

/** Request headers that our clients send and that a page may send only after a preflight. */
const sent = [
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "Traceparent",
  "Tracestate",
  "X-API-Key",
];

/** Response headers that any operation may send; operations declare further ones. */
const exposed = ["Allow", "Retry-After"];

/** Seconds for which a browser remembers the answer to a preflight. */
const maxAge = 600;

interface CrossOriginOptions {
  config: { server: Pick<Config["server"], "cors"> };
  routes: Pick<Route, "spec">[];
}

/**
 * CORS: lets pages of `server.cors.origins` send preflights and read responses. Names the origin, never
 * `*`, so that credentials are allowed; a preflight lists the methods of the path. Other origins get no CORS
 * header. Must run before any middleware that refuses requests, so that trusted pages can read refusals.
 */
export function crossOrigin({ config, routes }: CrossOriginOptions): MiddlewareHandler {
  const trusted = new Set(config.server.cors.origins);
  const exposed = exposedHeaders(routes);
  return async (c, next) => {
    await next();
    if (trusted.size === 0) return;
    c.header("vary", "Origin", { append: true });
    const origin = c.req.header("origin");
    if (origin === undefined || !trusted.has(origin)) return;
    c.header("access-control-allow-origin", origin);
    c.header("access-control-allow-credentials", "true");
    if (isPreflight(c)) allowRequests(c);
    else c.header("access-control-expose-headers", exposed);
  };
}

function isPreflight({ req }: Context): boolean {
  return req.method === "OPTIONS" && req.header("access-control-request-method") !== undefined;
}

/** A preflight that was refused has no `Allow` header, so it allows no method. */
function allowRequests(c: Context): void {
  const methods = c.res.headers.get("allow");
  if (!c.res.ok || methods === null) return;
  c.header("access-control-allow-methods", methods);
  c.header("access-control-allow-headers", sent.join(", "));
  c.header("access-control-max-age", String(maxAge));
}

function exposedHeaders(routes: CrossOriginOptions["routes"]): string {
  const declared = routes.flatMap(({ spec }) =>
    Object.values(spec.responses).flatMap((response) => Object.keys(response.headers ?? {}))
  );
  return [...new Set([...exposed, ...declared])].sort().join(", ");
}
