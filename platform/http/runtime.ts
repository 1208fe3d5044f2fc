import type { Health } from "#kit/worker.ts";
import { secured } from "#platform/http/origins.ts";
import {
  ListenerWatchdog,
  type ListenerWatchdogOptions,
} from "#platform/http/listener-watchdog.ts";

export interface HttpListener {
  /** `http://host:port` (`https:` with a certificate) as bound. */
  url: string;
  /** Whether new connections are accepted; states such as `not_listening` say why not. */
  health(): Health;
  /** Accepts no new connections, lets running requests end for `graceMs`, then cuts them off. */
  stop(graceMs: number): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
  /** Certificate chain and key, PEM; TLS is off without them. */
  tls?: { cert: string; key: string };
}

/** Whether `listen` failed because another process uses the port. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Deno.errors.AddrInUse;
}

/** Milliseconds in which a client must read the answer to a request that was cut off. */
const readMs = 500;

/** The answer to a request that is still running when the grace period ends. */
const cutOff = () => new Response(null, { status: 503, headers: { "retry-after": "5" } });

/**
 * Serves `fetch` on an address, and keeps serving when no file descriptor is left for a new connection; the
 * only place that uses the runtime's HTTP server. `client` is the remote address of a request, without the
 * port.
 */
export function listen(
  fetch: (request: Request, client: string) => Response | Promise<Response>,
  address: Address,
  options?: ListenerWatchdogOptions,
): HttpListener {
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
  const watchdog = new ListenerWatchdog(
    first,
    () => open(port),
    () => isFree({ hostname, port }),
    options,
  );
  const host = boundHost.includes(":") ? `[${boundHost}]` : boundHost;
  return {
    url: `${tls ? "https" : "http"}://${host}:${port}`,
    health: () => watchdog.health(),
    // Does not use the server's abort signal: aborting it during a shutdown ends the process (Deno 2.7.7).
    async stop(graceMs) {
      const timers = [
        setTimeout(() => running.forEach((end) => end()), graceMs),
        // A client that does not read its answer must not delay the stop.
        setTimeout(late.resolve, graceMs + readMs),
      ];
      await Promise.race([watchdog.shutdown(), late.promise]);
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
