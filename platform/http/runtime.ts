export interface Listening {
  /** `http://host:port` as bound. */
  url: string;
  /** Takes no new connection, lets running requests end for `graceMs`, then cuts them. */
  stop(graceMs: number): Promise<void>;
}

/** Serves `fetch` on an address; the only place that touches the runtime's HTTP server. */
export function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  address: { host: string; port: number },
): Listening {
  const abort = new AbortController();
  const server = Deno.serve({
    hostname: address.host,
    port: address.port,
    signal: abort.signal,
    onListen() {},
  }, fetch);
  const bound = server.addr as Deno.NetAddr;
  const host = bound.hostname.includes(":") ? `[${bound.hostname}]` : bound.hostname;
  return {
    url: `http://${host}:${bound.port}`,
    async stop(graceMs) {
      const cut = setTimeout(() => abort.abort(), graceMs);
      await server.shutdown();
      clearTimeout(cut);
      await server.finished;
    },
  };
}
