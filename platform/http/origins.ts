import type { Context, MiddlewareHandler } from "hono";
import { isIPv4, isIPv6 } from "node:net";
import { badRequest, clientError, forbidden } from "#kit/errors.ts";
import { baseUrlOf } from "#platform/config/base-url.ts";
import type { Config } from "#platform/config/schema.ts";
import type { Route } from "#platform/operations/declare.ts";

/** The parts of a request that the gate checks. */
type GateRequest = Pick<Request, "method" | "url" | "headers">;

/** Throws an `AppError` for a request that a web page of another site may have caused. */
export type Gate = (request: GateRequest) => void;

/** Methods that change nothing. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Protects against web pages of other sites. They could make a browser write here (checked by `Origin` and
 * `Sec-Fetch-Site`), or read answers through a host name of theirs that is rebound to this address (checked
 * by `Host`). Programs other than browsers send neither of the first two headers, and address a host that is
 * configured.
 */
export function gate({ server, catalog }: Pick<Config, "server" | "catalog">): Gate {
  const platform = new URL(baseUrlOf({ server, catalog }));
  const names = [...server.hosts, server.host, platform.hostname].map(plainHost);
  const hosts = { names: new Set(names), any: server.hosts.includes("*") };
  const origins = new Set([...server.cors.origins, platform.origin]);
  return (request) => {
    const host = checkHost(request, hosts);
    if (!safeMethods.has(request.method)) checkOrigin(request.headers, host, origins);
  };
}

interface Hosts {
  names: Set<string>;
  any: boolean;
}

/** Checks the host of the request line and of the `Host` header; returns the one that counts. */
function checkHost({ url, headers }: GateRequest, hosts: Hosts): string {
  const host = /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";
  const header = headers.get("host");
  const given = header === null ? [host] : [host, header];
  for (const authority of given) {
    const name = hostNameOf(authority);
    if (name === undefined) throw badRequest("Host is no host: host or host:port is expected");
    if (hosts.any || isOurs(name) || hosts.names.has(name)) continue;
    throw clientError(
      421,
      `Host ${name} is not served here; if it is to be, add it to server.hosts (SERVER_HOSTS)`,
    );
  }
  return header ?? host;
}

const authorityForm = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,253}))(?::(\d{1,5}))?$/;

function hostNameOf(authority: string): string | undefined {
  const [, v6, name, port = "0"] = authorityForm.exec(authority) ?? [];
  if (Number(port) > 65_535) return undefined;
  if (v6 !== undefined) return isIPv6(v6) ? v6 : undefined;
  return name === undefined ? undefined : plainHost(name);
}

/** Lower case, without brackets and without the final dot of the root domain. */
const plainHost = (name: string) => name.toLowerCase().replace(/^\[|\]$|\.$/g, "");

/** Nobody can rebind an IP address by DNS, and browsers resolve `localhost` themselves. */
function isOurs(name: string): boolean {
  return isIPv4(name) || isIPv6(name) || name === "localhost" || name.endsWith(".localhost");
}

/**
 * Filippo Valsorda, "Cross-Site Request Forgery" (2025): trusts `Sec-Fetch-Site` first, then compares
 * `Origin` with the requested host; a request with neither header is not from a browser.
 */
function checkOrigin(headers: Headers, host: string, trusted: Set<string>): void {
  const origin = headers.get("origin");
  if (origin !== null && trusted.has(origin)) return;
  const site = headers.get("sec-fetch-site");
  if (site === "same-origin" || site === "none") return;
  if (site === null && (origin === null || hostOf(origin) === host.toLowerCase())) return;
  const cause = site === null ? "Origin" : "Sec-Fetch-Site";
  throw forbidden(
    `${cause} says that a page of another site sends this; if that page may, add its origin to ` +
      "server.cors.origins (SERVER_CORS_ORIGINS)",
  );
}

function hostOf(origin: string): string | undefined {
  return /^https?:/.test(origin) ? URL.parse(origin)?.host : undefined;
}

/** Request headers that our clients send and that a page may send only after a preflight. */
const sentHeaders = [
  "Authorization",
  "Content-Encoding",
  "Content-Type",
  "Traceparent",
  "Tracestate",
  "X-API-Key",
];

/** Response headers that any operation may send; operations declare further ones. */
const alwaysExposed = ["Allow", "Retry-After"];

/** Seconds for which a browser remembers the answer to a preflight. */
const preflightMaxAge = 600;

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
  c.header("access-control-allow-headers", sentHeaders.join(", "));
  c.header("access-control-max-age", String(preflightMaxAge));
}

function exposedHeaders(routes: CrossOriginOptions["routes"]): string {
  const declared = routes.flatMap(({ spec }) =>
    Object.values(spec.responses).flatMap((response) => Object.keys(response.headers ?? {}))
  );
  return [...new Set([...alwaysExposed, ...declared])].sort().join(", ");
}

/**
 * Security headers of every response: no content sniffing, no framing, no script or other resource, no
 * referrer, and no embedding by other sites.
 */
const securityHeaders = Object.entries({
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
});

/** Adds the security headers to a response, unless it sets them itself. */
export function secured(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of securityHeaders) if (!headers.has(name)) headers.set(name, value);
  return response;
}
