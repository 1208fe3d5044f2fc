// One client that means harm: it sends the bodies that it is given one after the other, keeps connections
// open that never send what they declare, and opens streams of HTTP/2 only to reset them. On its standard
// input one line of JSON (see hostile.ts); it goes on until that closes, then prints what it did. Runs on
// Node, apart from whoever measures.
import { Buffer } from "node:buffer";
import http from "node:http";
import http2 from "node:http2";
import net from "node:net";
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
const given = JSON.parse((await lines[Symbol.asyncIterator]().next()).value);
const did = { bodies: {}, idle: 0, resets: 0 };
let over = false;

const agent = new http.Agent({ keepAlive: true });

/** Sends one body; resolves with the status, or with why there is none. */
function post({ url, headers, body }) {
  return new Promise((resolve) => {
    const options = { method: "POST", agent, headers, timeout: 30_000 };
    const request = http.request(url, options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode)).on("error", () => resolve("cut"));
    });
    request.on("timeout", () => request.destroy()).on("error", (error) => resolve(error.code));
    request.end(body);
  });
}

async function sendBodies() {
  const bodies = given.bodies.map((one) => ({ ...one, body: Buffer.from(one.body, "base64") }));
  for (let n = 0; !over && bodies.length > 0; n++) {
    const status = await post(bodies[n % bodies.length]);
    did.bodies[status] = (did.bodies[status] ?? 0) + 1;
  }
}

/** Declares a large body and sends one byte of it; when it is hung up on it is repeated. */
function idle({ host, port, path }) {
  if (over) return;
  did.idle++;
  const socket = net.connect(port, host, () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 16000000\r\n\r\n{";
    socket.write(head);
  });
  socket.on("error", () => {}).on("data", () => socket.destroy());
  socket.on("close", () => setTimeout(() => idle({ host, port, path }), 500));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function resetStreams() {
  while (!over && given.grpc) {
    const session = http2.connect(`http://${given.grpc}`);
    session.on("error", () => {});
    for (let n = 0; n < 200 && !over && !session.destroyed; n++) {
      const stream = session.request({ ":method": "POST", ":path": "/x", te: "trailers" });
      stream.on("error", () => {});
      stream.close(http2.constants.NGHTTP2_CANCEL);
      did.resets++;
      if (n % 20 === 0) await pause(5);
    }
    await pause(500);
    session.destroy();
  }
}

const working = [sendBodies(), resetStreams()];
for (const place of given.idle) idle(place);
lines.on("close", () => {
  over = true;
  process.stdout.write(JSON.stringify(did), () => process.exit(0));
});
await Promise.all(working);
