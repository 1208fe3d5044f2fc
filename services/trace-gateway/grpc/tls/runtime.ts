/** Connections that may be open at once; further ones are closed. */
const maxConnections = 1_000;

/**
 * Takes TLS off connections and hands them to a port of the loopback address. The HTTP/2 server of
 * `node:http2` has no TLS of its own in this runtime, the runtime itself has. Returns the port that it
 * listens on, until the process ends; throws when it is taken.
 */
export function listenTls(
  address: { host: string; port: number; cert: string; key: string },
  toPort: number,
): number {
  const { host: hostname, port, cert, key } = address;
  const listener = Deno.listenTls({ hostname, port, cert, key, alpnProtocols: ["h2"] });
  void accept(listener, toPort);
  return listener.addr.port;
}

async function accept(listener: Deno.TlsListener, toPort: number): Promise<void> {
  let open = 0;
  for (;;) {
    let connection: Deno.TlsConn;
    try {
      connection = await listener.accept();
    } catch (error) {
      // A connection may fail before it is one; without its listener the process is of no use.
      if (error instanceof Deno.errors.BadResource) throw error;
      continue;
    }
    if (open >= maxConnections) {
      connection.close();
      continue;
    }
    open++;
    // However it ends, it is over: the client notices, and connects again.
    void pass(connection, toPort).catch(() => {}).finally(() => open--);
  }
}

async function pass(connection: Deno.TlsConn, port: number): Promise<void> {
  const inner = await Deno.connect({ hostname: "127.0.0.1", port }).catch((error) => {
    connection.close();
    throw error;
  });
  inner.setNoDelay(true);
  await Promise.all([
    connection.readable.pipeTo(inner.writable),
    inner.readable.pipeTo(connection.writable),
  ]);
}
