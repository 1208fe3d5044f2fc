import type { Config } from "#platform/config/schema.ts";

/** Addresses that always mean this machine. */
const here = /^(127(\.\d{1,3}){3}|0\.0\.0\.0|::|::1|localhost)$/i;

/**
 * The URL at which users reach this catalogue, used as the start of links: `catalog.platform-base-url`, else
 * the address of the API. `bound` is the actual address, needed when `server.port` is 0.
 */
export function baseUrlOf(
  { server, catalog }: Pick<Config, "server" | "catalog">,
  bound?: string,
): string {
  const configured = catalog["platform-base-url"];
  if (configured !== undefined) return configured;
  const { host, port } = server;
  const name = here.test(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const known = port === 0 && bound ? new URL(bound).port : port;
  return `http://${name}:${known}`;
}

/** The path below which users reach this catalogue, behind a proxy that strips it: `/catalog`, or the empty text. */
export function basePathOf({ catalog }: Pick<Config, "catalog">): string {
  const configured = catalog["platform-base-url"];
  return configured === undefined ? "" : new URL(configured).pathname.replace(/\/$/, "");
}
