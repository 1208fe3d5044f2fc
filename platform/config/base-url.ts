import type { Config } from "#platform/config/schema.ts";

/** Addresses by which no other machine is meant. */
const here = /^(127(\.\d{1,3}){3}|0\.0\.0\.0|::|::1|localhost)$/i;

/**
 * Where people reach this catalogue, the start of every link: `catalog.platform-base-url`, else the
 * address of the API. `bound`: where it listens, for a `server.port` of 0, which says nothing.
 */
export function baseUrlOf(
  { server, catalog }: Pick<Config, "server" | "catalog">,
  bound?: string,
): string {
  const told = catalog["platform-base-url"];
  if (told !== undefined) return told;
  const { host, port } = server;
  const name = here.test(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const known = port === 0 && bound ? new URL(bound).port : port;
  return `http://${name}:${known}`;
}
