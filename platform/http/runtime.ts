import type { Health } from "#kit/worker.ts";
import { secured } from "#platform/http/headers.ts";
import { Keeper, type KeeperOptions } from "#platform/http/keeper.ts";

export interface Listening {
  /** `http://host:port` (`https:` with a certificate) as bound. */
  url: string;
  /** Whether new connections are taken; `not_listening` and the like say why they are not. */
  health(): Health;
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

/** Milliseconds in which the answer to a request that was cut must be read. */
const readMs = 500;

/** What a request gets that was still running when its time was up. */
const cutOff = () => new Response(null, { status: 503, headers: { "retry-after": "5" } });

/**
 * Serves `fetch` on an address, and goes on when there is no file descriptor for a new connection; the
 * only place that touches the runtime's HTTP server. `client` is the address that a request came from,
 * without its port.
 */
export function listen(
  fetch: (request: Request, client: string) => Response | Promise<Response>,
  address: Address,
  options?: KeeperOptions,
): Listening {
  const running = new Set<() => void>();
  const late = Promise.withResolvers<void>();
  const handle: Deno.ServeHandler<Deno.NetAddr> = async (request, { remoteAddr }) => {
    const cut = Promise.withResolvers<Response>();
    const end = () => cut.resolve(cutOff());
    running.add(end);
    try {
      return secured(await Promise.race([fetch(request, remoteAddr.hostname), cut.promise]));
    } finally {
      running.delete(end);
    }
  };
  const { host: hostname, tls } = address;
  const open = (port: number) => Deno.serve({ hostname, port, onListen() {}, ...tls }, handle);
  const first = open(address.port);
  const { port, hostname: boundHost } = first.addr;
  const keeper = new Keeper(first, () => open(port), () => isFree({ hostname, port }), options);
  const host = boundHost.includes(":") ? `[${boundHost}]` : boundHost;
  return {
    url: `${tls ? "https" : "http"}://${host}:${port}`,
    health: () => keeper.health(),
    // Not by the server's abort signal: once it shuts down, an abort ends the process (Deno 2.7.7).
    async stop(graceMs) {
      const timers = [
        setTimeout(() => running.forEach((end) => end()), graceMs),
        // An answer that nobody reads must not hold us up either.
        setTimeout(late.resolve, graceMs + readMs),
      ];
      await Promise.race([keeper.shutdown(), late.promise]);
      timers.forEach(clearTimeout);
    },
  };
}

/** Whether nobody listens on an address. */
function isFree(address: { hostname: string; port: number }): boolean {
  try {
    Deno.listen(address).close();
    return true;
  } catch (error) {
    if (isPortTaken(error)) return false;
    throw error;
  }
}
