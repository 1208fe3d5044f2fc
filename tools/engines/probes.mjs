import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

/**
 * Sends one request to a loopback port and resolves with what `answer` makes of the bytes received so
 * far, once that is not `undefined`. Rejects on refusal, on an early end, and after 3 s.
 * @template T
 * @param {number} port
 * @param {Uint8Array | string} request
 * @param {(received: Buffer, socket: import("node:net").Socket) => T | undefined} answer
 * @param {string} [ca] PEM of the authority, for TLS
 * @returns {Promise<T>}
 */
function ask(port, request, answer, ca) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const send = () => socket.write(request);
    const socket = ca
      ? connectTls({ port, host: "127.0.0.1", servername: "localhost", ca }, send)
      : connect(port, "127.0.0.1", send);
    socket.setTimeout(3_000, () => socket.destroy(new Error("no answer within 3 s")));
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed without an answer")));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const outcome = answer(received, socket);
      if (outcome === undefined) return;
      resolve(outcome);
      socket.destroy();
    });
  });
}

/**
 * Resolves when Redis answers PING.
 * @param {number} port
 * @param {import("./tls.mjs").Tls} [tls]
 */
export async function redisAnswers(port, tls) {
  const request = `${tls ? `AUTH ${tls.password}\r\n` : ""}PING\r\n`;
  const lines = tls ? 2 : 1;
  const said = await ask(port, request, (bytes) => {
    const text = bytes.toString("latin1");
    return text.split("\r\n").length > lines ? text : undefined;
  }, tls?.ca);
  if (!said.endsWith("+PONG\r\n")) throw new Error(`Redis said ${said.trim()}`);
}

/** Resolves when the broker lists at least itself in its metadata (Metadata request, version 1). */
export async function kafkaAnswers(/** @type {number} */ port) {
  const client = Buffer.from("probe");
  const request = Buffer.concat([
    Buffer.from([0, 0, 0, 14 + client.length, 0, 3, 0, 1, 0, 0, 0, 1, 0, client.length]),
    client,
    Buffer.from([0, 0, 0, 0]),
  ]);
  const brokers = await ask(port, request, (bytes) => {
    return bytes.length >= 12 ? bytes.readInt32BE(8) : undefined;
  });
  if (brokers < 1) throw new Error("the broker is not registered yet");
}

/**
 * Resolves when Neo4j lets this user in and runs a query (Bolt 4.4: one message signs in).
 * @param {number} port
 * @param {string} password
 * @param {string} [ca] PEM of the authority, for TLS
 */
export async function neo4jAnswers(port, password, ca) {
  const versions = Buffer.from("6060b01700000404000000000000000000000000", "hex");
  const hello = message(0x01, {
    user_agent: "probe/1",
    scheme: "basic",
    principal: "neo4j",
    credentials: password,
  });
  const query = Buffer.concat([message(0x10, "RETURN 1", {}, {}), message(0x3f, { n: -1 })]);
  const record = 0x71;
  const failure = 0x7f;
  const last = await ask(port, Buffer.concat([versions, hello, query]), (bytes) => {
    const kinds = messageKinds(bytes.subarray(4));
    return kinds.find((kind) => kind === record || kind === failure);
  }, ca);
  if (last !== record) throw new Error("Neo4j refused the sign-in or the query");
}

/** One Bolt message in one chunk. @param {number} kind @param {...unknown} fields */
function message(kind, ...fields) {
  const body = Buffer.concat([Buffer.from([0xb0 + fields.length, kind]), ...fields.map(packed)]);
  return Buffer.concat([
    Buffer.from([body.length >> 8, body.length & 0xff]),
    body,
    Buffer.alloc(2),
  ]);
}

/** PackStream of what the probe sends: short texts, -1, small maps. @returns {Buffer} */
function packed(/** @type {unknown} */ value) {
  if (value === -1) return Buffer.from([0xff]);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xd0, text.length]), text]);
  }
  const entries = Object.entries(/** @type {object} */ (value));
  return Buffer.concat([
    Buffer.from([0xa0 + entries.length]),
    ...entries.flatMap(([name, inner]) => [packed(name), packed(inner)]),
  ]);
}

/** @param {Buffer} bytes whole or cut chunks */
function messageKinds(bytes) {
  const kinds = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt16BE(at);
    if (length > 0) kinds.push(bytes[at + 3]);
    at += 2 + length;
  }
  return kinds;
}
