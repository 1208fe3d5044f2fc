// Calls a gRPC server with raw messages. Argument: its address; on its standard input a JSON list of
// calls (see otlp-clients.ts). Prints the answers as JSON.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import * as grpc from "@grpc/grpc-js";

const [address] = process.argv.slice(2);
const raw = (bytes) => bytes;
const traces = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";

function call(client, { body, method = traces, metadata = {} }) {
  const given = new grpc.Metadata();
  for (const [name, value] of Object.entries(metadata)) given.set(name, value);
  const message = Buffer.from(body, "base64");
  return new Promise((resolve) => {
    const options = { deadline: Date.now() + 20_000 };
    client.makeUnaryRequest(method, raw, raw, message, given, options, (error, answer) =>
      resolve({
        code: error?.code ?? 0,
        details: error?.details ?? "",
        body: (answer ?? Buffer.alloc(0)).toString("base64"),
        statusDetails: (error?.metadata.get("grpc-status-details-bin")[0] ?? Buffer.alloc(0))
          .toString("base64"),
      }));
  });
}

const connect = () =>
  new grpc.Client(address, grpc.credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.service_config_disable_resolution": 1,
  });

const answers = [];
for (const { leave = false, times = 1, ...given } of JSON.parse(readFileSync(0, "utf8"))) {
  const client = connect();
  const running = Array.from({ length: times }, () => call(client, given));
  if (leave) {
    await new Promise((soon) => setTimeout(soon, Math.random() * 30));
    client.close();
  }
  answers.push(...await Promise.all(running));
  client.close();
}
// A pipe takes a long text bit by bit; what holds the process open afterwards is of no interest.
process.stdout.write(JSON.stringify(answers), () => process.exit(0));
