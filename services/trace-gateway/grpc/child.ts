// The process of the gRPC receiver: only takes calls and hands their bytes on. It is its own so that
// what calls cost before they are let in is not paid by the gateway. It ends with its standard input,
// and so with the gateway, however that ends.
import process from "node:process";
import { systemClock } from "#kit/clock.ts";
import { messageOf } from "#kit/errors.ts";
import { type HttpListener, isPortTaken, listen } from "#platform/http/runtime.ts";
import { assertTrailers } from "./http2/runtime.ts";
import { linesOf, Orders, type Report } from "./protocol.ts";
import { grpcServer } from "./server.ts";

/** Milliseconds that calls are given to end. */
const graceMs = 5_000;
/** Milliseconds between two attempts at a port that is taken. */
const retryMs = 1_000;

const report = (said: Report) => void process.stdout.write(`${JSON.stringify(said)}\n`);

async function main(): Promise<void> {
  const lines = linesOf(process.stdin);
  const { value: first } = await lines.next();
  const orders = Orders.parse(JSON.parse(first ?? "null"));
  setInterval(() => report({ state: "alive" }), orders.beatEveryMs);
  const serving = serve(orders);
  serving.catch(fail);
  // The parent sends nothing more; the end of standard input means that this process should end.
  for await (const _ of lines);
  const server = await Promise.race([serving, systemClock.sleep(graceMs)]);
  await server?.stop(graceMs);
  process.exit(0);
}

/** Listens as soon as the port is free. */
async function serve(orders: Orders): Promise<HttpListener> {
  assertTrailers();
  const handle = grpcServer(orders);
  for (let reported = false;;) {
    try {
      const listening = listen(handle, orders);
      report({ state: "listening", port: Number(new URL(listening.url).port) });
      return listening;
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      if (!reported) report({ state: "port_taken" });
      reported = true;
      await systemClock.sleep(retryMs);
    }
  }
}

function fail(error: unknown): void {
  report({ state: "failed", message: messageOf(error) });
  process.exit(1);
}

main().catch(fail);
