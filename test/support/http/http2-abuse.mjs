// A client of an HTTP/2 server that breaks the rules, frame by frame: floods of streams that are reset, of
// pings, of settings, of empty frames, headers without end, frames that do not belong. Arguments: address,
// connections of each kind, frames of each connection, seed. Prints what it did as JSON. Runs on Node.
import { Buffer } from "node:buffer";
import { once } from "node:events";
import net from "node:net";

const [address, connections, frames, seed] = process.argv.slice(2);
const [host, port] = address.split(":");
/** Connections at once. */
const concurrency = 4;
/** Groups of frames that are written in one go. */
const burst = 100;

let state = Number(seed) >>> 0;
/** Uniform from 0 to `bound` (mulberry32). */
function below(bound) {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = state;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return Math.floor(((t ^ (t >>> 14)) >>> 0) / 4_294_967_296 * bound);
}

const type = { data: 0, headers: 1, priority: 2, reset: 3, settings: 4, push: 5, ping: 6 };
const later = { goaway: 7, window: 8, continuation: 9, unknown: 0x55 };
const [endStream, endHeaders, acknowledged] = [1, 4, 1];

function frame(kind, flags, stream, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = kind;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const u32 = (number) => Buffer.from([number >>> 24, number >>> 16, number >>> 8, number]);
const literal = (name, value) =>
  Buffer.concat([
    ...[Buffer.from([0, name.length]), Buffer.from(name)],
    ...[Buffer.from([value.length]), Buffer.from(value)],
  ]);
const call = Buffer.concat([
  literal(":method", "POST"),
  literal(":scheme", "http"),
  literal(":path", "/opentelemetry.proto.collector.trace.v1.TraceService/Export"),
  literal(":authority", "x"),
  literal("content-type", "application/grpc"),
  literal("te", "trailers"),
]);
const bare = Buffer.concat([
  literal(":method", "GET"),
  literal(":scheme", "http"),
  literal(":path", "/"),
]);
const empty = Buffer.alloc(5);

const open = (n) => frame(type.headers, endHeaders, 2 * n + 1, call);
const reset = (n) => frame(type.reset, 0, 2 * n + 1, u32(8));
const onFirst = (next) => (n) => n === 0 ? [open(0)] : [next(n)];

/** By their names, the frames of the n-th group. */
const kinds = {
  "opened and reset": (n) => [open(n), reset(n)],
  "a message and reset": (n) => [open(n), frame(type.data, endStream, 2 * n + 1, empty), reset(n)],
  "opened": (n) => [open(n)],
  "ended at once": (n) => [frame(type.headers, endHeaders | endStream, 2 * n + 1, call)],
  "answered and reset later": (n) => [
    open(n),
    frame(type.data, endStream, 2 * n + 1, empty),
    ...n > 20 ? [reset(n - 20)] : [],
  ],
  "reset again and again": (n) => n === 0 ? [open(0)] : [reset(0)],
  "never opened": (n) => [reset(n)],
  "other paths": (n) => [frame(type.headers, endHeaders | endStream, 2 * n + 1, bare)],
  "pings": () => [frame(type.ping, 0, 0, Buffer.alloc(8))],
  "settings": (n) => [frame(type.settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), u32(n)]))],
  "acknowledgements": () => [frame(type.settings, acknowledged, 0)],
  "empty data": onFirst(() => frame(type.data, 0, 1)),
  "data beyond the window": onFirst(() => frame(type.data, 0, 1, Buffer.alloc(16_384))),
  "headers without end": (n) =>
    n === 0
      ? [frame(type.headers, 0, 1, call)]
      : [frame(later.continuation, 0, 1, literal(`x-${n}`, "y".repeat(100)))],
  "priorities": (n) => [
    frame(type.priority, 0, 2 * n + 1, Buffer.concat([u32(0), Buffer.from([16])])),
  ],
  "windows": () => [frame(later.window, 0, 0, u32(1))],
  "a window too large": () => [frame(later.window, 0, 0, u32(0x7fffffff))],
  "pushes": () => [frame(type.push, endHeaders, 1, Buffer.concat([u32(2), call]))],
  "farewells": () => [frame(later.goaway, 0, 0, Buffer.alloc(8))],
  "unknown frames": () => [frame(later.unknown, 0, 0, Buffer.alloc(5))],
  "broken headers": (n) => [frame(type.headers, endHeaders, 2 * n + 1, Buffer.alloc(6, 0xff))],
  "trailers again": (n) => [
    ...[open(n), frame(type.headers, endHeaders | endStream, 2 * n + 1, literal("a", "b"))],
    frame(type.headers, endHeaders | endStream, 2 * n + 1, literal("a", "b")),
  ],
  "random frames": () => [
    frame(
      below(12),
      below(256),
      below(6),
      Buffer.from(Array.from({ length: 20 }, () => below(256))),
    ),
  ],
  "no frames": () => [Buffer.from(Array.from({ length: 50 }, () => below(256)))],
};
const names = Object.keys(kinds);
kinds.mixed = (n) => {
  const sound = names.slice(0, 16);
  return kinds[sound[below(sound.length)]](n + 1);
};

const counts = { connections: 0, refused: 0, cut: 0 };

async function connection(kind) {
  const socket = net.connect(Number(port), host);
  let gone = false;
  socket.on("error", () => {}).on("close", () => gone = true).resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => {});
  counts.connections++;
  if (gone) return void counts.refused++;
  socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0)]));
  for (let n = 0; n < Number(frames) && !gone;) {
    const some = [];
    for (let k = 0; k < burst && n < Number(frames); k++, n++) some.push(...kinds[kind](n));
    socket.write(Buffer.concat(some));
    await new Promise((soon) => setTimeout(soon, 1));
  }
  await new Promise((soon) => setTimeout(soon, below(50)));
  if (gone) counts.cut++;
  if (below(2) === 0) socket.destroy();
  else socket.resetAndDestroy();
}

const waiting = Object.keys(kinds).flatMap((kind) => Array(Number(connections)).fill(kind));
await Promise.all(Array.from({ length: concurrency }, async () => {
  for (let kind = waiting.shift(); kind; kind = waiting.shift()) await connection(kind);
}));
process.stdout.write(JSON.stringify(counts), () => process.exit(0));
