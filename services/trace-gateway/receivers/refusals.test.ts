import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway } from "#test/support/traces/gateway.ts";

const half = Buffer.alloc(50_000);
/** Milliseconds between the halves of a request: the refusal is there before the second. */
const gapMs = 50;

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway("embedded", {
    "max-in-flight": "64 kB",
    token: "secret-word-of-more-than-32-characters",
  });
});
afterAll(() => gateway?.stop());

/** The status that a client is told which, as many do, reads nothing before it has sent everything. */
function statusOf(path: string, headers: Record<string, string>, chunked = false): Promise<number> {
  const { hostname, port, host } = new URL(gateway.http);
  const size: [string, string] = chunked
    ? ["transfer-encoding", "chunked"]
    : ["content-length", `${2 * half.length}`];
  const part = chunked ? Buffer.from(`${half.length.toString(16)}\r\n${half}\r\n`) : half;
  const lines = [["host", host], size, ...Object.entries(headers)];
  const head = `POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}`;
  return new Promise((answered, failed) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", failed);
    socket.on("close", () => failed(new Error("cut off")));
    socket.pause();
    socket.write(`${head}\r\n\r\n`);
    socket.write(part);
    setTimeout(() => socket.write(chunked ? `${part}0\r\n\r\n` : part), gapMs);
    setTimeout(() => {
      socket.once("data", (data) => {
        answered(Number(data.toString("latin1").split(" ")[1]));
        socket.destroy();
      });
      socket.resume();
    }, 2 * gapMs);
  });
}

const authorization = "Bearer secret-word-of-more-than-32-characters";
const protobuf = "application/x-protobuf";

it.each([
  [429, "the gateway is full", "/v1/traces", { "content-type": protobuf, authorization }],
  [401, "the token is wrong", "/v1/traces", { "content-type": protobuf }],
  [415, "the type is unknown", "/v1/traces", { "content-type": "text/plain", authorization }],
  [404, "the signal is unknown", "/v1/metrics", { "content-type": protobuf, authorization }],
])(
  "httpReceiver: a client that still sends can read the %i when %s",
  async (status, _, path, headers) => {
    expect(await statusOf(path, headers)).toBe(status);
  },
);

it("readBody: a client of chunks that are too many at once can read the 429", async () => {
  const headers = { "content-type": protobuf, authorization };
  expect(await statusOf("/v1/traces", headers, true)).toBe(429);
});
