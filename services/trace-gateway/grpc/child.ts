// The process of the gRPC receiver: only takes calls and hands their bytes on. It is its own because a
// fault in the runtime's HTTP/2 server aborts the process that has it. It ends with its standard input,
// and so with the gateway, however that ends.
import process from "node:process";
import * as grpc from "@grpc/grpc-js";
import { systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { linesOf, Orders, type Report } from "./protocol.ts";
import { createServer } from "./server.ts";
import { listenTls } from "./tls/runtime.ts";

/** Milliseconds that calls are given to end. */
const graceMs = 5_000;
/** Milliseconds between two attempts at a port that is taken. */
const tryAgainMs = 1_000;

const report = (said: Report) => void process.stdout.write(`${JSON.stringify(said)}\n`);

async function main(): Promise<void> {
  const lines = linesOf(process.stdin);
  const { value: first } = await lines.next();
  const orders = Orders.parse(JSON.parse(first ?? "null"));
  const serving = serve(orders);
  // Nothing more is said to us: the end of the lines is the word to end.
  for await (const _ of lines);
  const server = await Promise.race([serving, systemClock.sleep(graceMs)]);
  if (server) await ended(server);
  process.exit(0);
}

/** Binds as soon as the port is free. */
async function serve(orders: Orders): Promise<grpc.Server> {
  for (let told = false;;) {
    const server = createServer(orders);
    try {
      report({ state: "listening", port: await bound(server, orders) });
      return server;
    } catch (error) {
      server.forceShutdown();
      if (!/EADDRINUSE|in use/i.test(messageOf(error))) throw error;
      if (!told) report({ state: "port_taken" });
      told = true;
      await systemClock.sleep(tryAgainMs);
    }
  }
}

/** Resolves with the port that exporters reach: the server's own, or that of the TLS before it. */
async function bound(server: grpc.Server, { host, port, tls }: Orders): Promise<number> {
  if (!tls) return await bind(server, `${host.includes(":") ? `[${host}]` : host}:${port}`);
  const inner = await bind(server, "127.0.0.1:0");
  return listenTls({ host, port, ...tls }, inner);
}

function bind(server: grpc.Server, address: string): Promise<number> {
  const credentials = grpc.ServerCredentials.createInsecure();
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, at) => error ? reject(error) : resolve(at));
  });
}

function ended(server: grpc.Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}

main().catch((error) => {
  report({ state: "failed", message: messageOf(error) });
  process.exit(1);
});
