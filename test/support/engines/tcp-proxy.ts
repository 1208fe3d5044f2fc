import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A door to an engine that can be shut, without touching the engine that others share. */
export interface TcpProxy {
  /** The engine's URL with the proxy's address. */
  url: string;
  /** Connections stay open and nothing passes. */
  freeze(): void;
  /** Whatever the engine answers arrives that many milliseconds later. */
  delay(ms: number): void;
  /** Connections are reset and new ones refused. */
  cut(): Promise<void>;
  /** Everything passes again. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** `host` is the address of this machine that the door is at. */
export async function tcpProxy(target: string, host = "127.0.0.1"): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let frozen = false;
  let late = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const answered = (data: Uint8Array) => {
      if (late) setTimeout(() => near.write(data), late);
      else near.write(data);
    };
    const forward = (data: Uint8Array) => void far.write(data);
    for (const [from, to, pass] of [[near, far, forward], [far, near, answered]] as const) {
      sockets.add(from);
      from.on("data", (data) => void (frozen || pass(data)));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const listen = (at: number) => new Promise<void>((ready) => void server.listen(at, host, ready));
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const cut = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
  return {
    url: Object.assign(new URL(target), { host: `${host}:${own}` }).href,
    freeze: () => void (frozen = true),
    delay: (ms) => void (late = ms),
    cut,
    async open() {
      frozen = false;
      late = 0;
      for (const socket of sockets) socket.destroy();
      if (!server.listening) await listen(own);
    },
    close: cut,
  };
}
