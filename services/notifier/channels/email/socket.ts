import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect, type TLSSocket } from "node:tls";

export interface TlsTarget {
  host: string;
  port: number;
  /** PEM of a private authority. */
  ca: string | null;
  /** Milliseconds for all addresses together. */
  timeoutMs: number;
}

/**
 * Connects with TLS to the first address of the host that answers. The runtime's own choice among
 * several addresses never ends when the first is refused.
 */
export async function openTls(target: TlsTarget): Promise<TLSSocket> {
  const { host, timeoutMs } = target;
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true });
  let failure: unknown = new Error(`ENOTFOUND ${host}`);
  for (const { address } of found) {
    try {
      return await handshake(target, address, timeoutMs / found.length);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function handshake(
  { host, port, ca }: TlsTarget,
  address: string,
  ms: number,
): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket = connect({ host: address, port, ...name, ...(ca === null ? {} : { ca }) });
    const refused = (error: Error) => {
      clearTimeout(timer);
      // Errors after it was abandoned are ignored.
      socket.on("error", () => {}).destroy();
      fail(error);
    };
    const timer = setTimeout(() => refused(new Error("the connection timed out")), ms);
    socket.once("error", refused).once("secureConnect", () => {
      clearTimeout(timer);
      socket.off("error", refused);
      done(socket);
    });
  });
}
