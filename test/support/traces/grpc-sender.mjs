// Exports traces over gRPC as SDKs do: what is refused for a reason that passes is sent again, to the
// next address. Arguments: addresses. On its standard input one request a line, base64 in JSON strings;
// for each it prints a line with the status it ended with and how often it was sent again. Runs on Node,
// since the client library does not connect on Deno.
import { Buffer } from "node:buffer";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";

const addresses = process.argv.slice(2);
const raw = (bytes) => bytes;
const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
/** Cancelled, deadline, exhausted with RetryInfo, aborted, out of range, unavailable, data loss. */
const passing = new Set([1, 4, 8, 10, 11, 14, 15]);

const clients = addresses.map((address) =>
  new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.service_config_disable_resolution": 1,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 500,
  })
);

const once = (client, message) =>
  new Promise((resolve) => {
    const options = { deadline: Date.now() + 5_000 };
    client.makeUnaryRequest(path, raw, raw, message, new grpc.Metadata(), options, (error) =>
      resolve(error ? { code: error.code, details: error.details } : { code: 0, details: "" }));
  });

process.stdin.once("close", () => process.exit(0));

let turn = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const message = Buffer.from(JSON.parse(line), "base64");
  for (let attempt = 0;; attempt++) {
    const status = await once(clients[turn % clients.length], message);
    if (!passing.has(status.code)) {
      console.log(JSON.stringify({ ...status, attempt }));
      break;
    }
    turn++;
    await new Promise((soon) => setTimeout(soon, 100));
  }
}
