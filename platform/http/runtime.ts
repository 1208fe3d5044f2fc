export interface Listening {
  /** `http://host:port` (`https:` with a certificate) as bound. */
  url: string;
  /** Takes no new connection, lets running requests end for `graceMs`, then cuts them. */
  stop(graceMs: number): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  /** Certificate chain and key in PEM; without them no TLS. */
  tls?: { cert: string; key: string };
}

/** Whether `listen` failed because another process has the port. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse;
}

/** Serves `fetch` on an address; the only place that touches the runtime's HTTP server. */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  address: Address,
): Listening {
  const abort = new AbortController();
  const server = Deno.serve({
    hostname: address.host,
    port: address.port,
    signal: abort.signal,
    onListen() {},
    ...address.tls,
  }, fetch);
  const bound = server.addr as Deno.NetAddr;
  const host = bound.hostname.includes(":") ? `[${bound.hostname}]` : bound.hostname;
  return {
    url: `${address.tls ? "https" : "http"}://${host}:${bound.port}`,
    async stop(graceMs) {
      const cut = setTimeout(() => abort.abort(), graceMs);
      await server.shutdown();
      clearTimeout(cut);
      await server.finished;
    },
  };
}
