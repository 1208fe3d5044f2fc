import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { type Gateway, startGateway } from "#test/support/traces/gateway.ts";
import { otlpBytes, serverSpans } from "#test/support/traces/otlp.ts";

const size = 100_000;
const type = "application/x-protobuf";
const body = otlpBytes([serverSpans(10)]);

let gateway: Gateway;
afterEach(() => gateway.stop());

/** A client that announces a body and sends `bytes` of it; resolves with the status it is told. */
function stalled(bytes: number): Promise<number> {
  const { hostname, port, host } = new URL(gateway.http);
  const head = ["POST /v1/traces HTTP/1.1", `host: ${host}`, `content-type: ${type}`];
  const socket = connect(Number(port), hostname);
  socket.write(`${[...head, `content-length: ${size}`].join("\r\n")}\r\n\r\n`);
  socket.write(new Uint8Array(bytes));
  return new Promise((resolve, failed) => {
    socket.on("error", failed);
    socket.once("data", (data) => {
      resolve(Number(data.toString("latin1").split(" ")[1]));
      socket.destroy();
    });
  });
}

async function post(): Promise<number> {
  const response = await fetch(`${gateway.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

it(
  "readAll: of a body that does not come nothing is held, and it ends within seconds",
  async () => {
    gateway = await startGateway("embedded", { "max-in-flight": `${2 * size}B` });
    const idle = Array.from({ length: 8 }, () => stalled(0));
    expect(await post()).toBe(200);
    expect(await Promise.all(idle)).toEqual(Array(8).fill(408));
  },
);

it("Budget: unfinished bodies that fill it make room within seconds", async () => {
  gateway = await startGateway("embedded", { "max-in-flight": `${8 * size}B` });
  const unfinished = Array.from({ length: 8 }, () => stalled(size - 1));
  await eventually(async () => expect(await post()).toBe(200), { within: 4_000 });
  const statuses = await Promise.all(unfinished);
  expect(statuses.filter((status) => status !== 408 && status !== 429)).toEqual([]);
});
