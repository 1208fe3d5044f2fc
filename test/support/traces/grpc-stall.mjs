// Calls a gRPC server and never finishes: of a message that is announced whole all but the last byte is
// sent, or nothing. Arguments: address, number of calls, bytes of each (0: not even the beginning). Prints
// as JSON with which status each call ended, and after how many milliseconds. Runs on Node.
import { Buffer } from "node:buffer";
import http2 from "node:http2";

const [address, calls, bytes] = process.argv.slice(2);
const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
const session = http2.connect(`http://${address}`);
const begun = Date.now();

function call() {
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  if (Number(bytes) > 0) {
    const message = Buffer.alloc(Number(bytes) - 1);
    message.writeUInt32BE(Number(bytes) - 5, 1);
    stream.write(message);
  }
  return new Promise((resolve) => {
    let code = -1;
    stream.on("response", (headers) => code = Number(headers["grpc-status"] ?? -1));
    stream.on("error", () => {});
    const ended = () => resolve({ code, ms: Date.now() - begun });
    stream.on("end", ended).on("close", ended);
    stream.resume();
  });
}

const ends = await Promise.all(Array.from({ length: Number(calls) }, call));
process.stdout.write(JSON.stringify(ends), () => process.exit(0));
