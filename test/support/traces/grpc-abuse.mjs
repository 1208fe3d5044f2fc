// Clients of a gRPC server that connect, send and leave without a word: sessions destroyed in the middle
// of a message, sockets reset before the preface, streams cancelled while they wait. Arguments: address,
// seconds, seed. Prints what it did as JSON. Runs on Node, apart from the server.
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import http2 from "node:http2";
import net from "node:net";

const [address, seconds, seed] = process.argv.slice(2);
const [host, port] = address.split(":");
const until = Date.now() + Number(seconds) * 1_000;
const counts = { connections: 0, cut: 0, acknowledged: [] };

let state = Number(seed) >>> 0;
/** Uniform from 0 to 1 (mulberry32). */
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}

const field = (number, bytes) =>
  Buffer.concat([Buffer.from([number << 3 | 2, bytes.length]), bytes]);

/** A gRPC message with one SERVER span of a service `soak`. */
function messageOf(traceId) {
  const span = Buffer.concat([
    field(1, traceId),
    field(2, randomBytes(8)),
    field(5, Buffer.from("soak")),
    Buffer.from([6 << 3, 2]),
  ]);
  const name = field(1, Buffer.from("soak"));
  const attribute = Buffer.concat([field(1, Buffer.from("service.name")), field(2, name)]);
  const resource = field(1, field(1, attribute));
  const body = field(1, Buffer.concat([resource, field(2, field(2, span))]));
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(body.length, 1);
  return Buffer.concat([frame, body]);
}

/** One call over a session; resolves when it is answered, refused or cut. */
function call(session, cutAt) {
  const traceId = randomBytes(16);
  const message = messageOf(traceId);
  const stream = session.request({
    ":method": "POST",
    ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    "content-type": "application/grpc",
    te: "trailers",
  });
  return new Promise((resolve) => {
    stream.on("trailers", (trailers) => {
      if (trailers["grpc-status"] === "0") counts.acknowledged.push(traceId.toString("hex"));
    });
    stream.on("error", resolve);
    stream.on("close", resolve);
    stream.resume();
    if (cutAt === "message") {
      stream.write(message.subarray(0, 9));
      setTimeout(() => session.destroy(), random() * 5);
    } else {
      stream.end(message);
      if (cutAt === "answer") setTimeout(() => session.destroy(), random() * 10);
      if (cutAt === "stream") setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), 1);
    }
  });
}

async function http2Client() {
  const session = http2.connect(`http://${address}`);
  session.on("error", () => {});
  const choices = ["none", "message", "answer", "stream"];
  const cutAt = choices[Math.floor(random() * choices.length)];
  const calls = Array.from({ length: 1 + Math.floor(random() * 4) }, () => call(session, cutAt));
  if (cutAt !== "none") counts.cut++;
  await Promise.race([Promise.all(calls), new Promise((late) => setTimeout(late, 10_000))]);
  session.destroy();
}

/** A socket that is reset before, in or after the preface. */
async function bareClient() {
  const socket = net.connect(Number(port), host);
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  if (random() < 0.7) socket.write(preface.subarray(0, Math.floor(random() * preface.length)));
  if (random() < 0.3) socket.write(randomBytes(40));
  await new Promise((soon) => setTimeout(soon, random() * 5));
  socket.resetAndDestroy();
  counts.cut++;
}

async function client() {
  while (Date.now() < until) {
    counts.connections++;
    await (random() < 0.2 ? bareClient() : http2Client());
  }
}

await Promise.all(Array.from({ length: 8 }, client));
// A pipe takes a long text bit by bit; what holds the process open afterwards is of no interest.
process.stdout.write(JSON.stringify(counts), () => process.exit(0));
