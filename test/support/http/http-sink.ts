import { Buffer } from "node:buffer";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A request as it arrived. */
export interface SunkRequest {
  /** Milliseconds since the epoch. */
  at: number;
  method: string;
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string;
}

/** How the sink answers, on the bare connection, so that it may misbehave in any way. */
export type SinkAnswer = (socket: Socket, request: SunkRequest) => void;

/** A receiver of webhooks that keeps what it gets and answers as it is told. */
export interface HttpSink {
  /** Without a path. */
  url: string;
  requests: SunkRequest[];
  /** Answers from now on; 200 with a short body at first. */
  answer: SinkAnswer;
  /** Ends it with all its connections. */
  close(): Promise<void>;
}

/** Ways to answer, well and badly. */
export const answers = {
  status: (status: number, headers: Record<string, string> = {}): SinkAnswer => {
    const body = status === 204 ? "" : "the receiver's own words: hunter2";
    const length: Record<string, string> = status === 204
      ? {}
      : { "content-length": String(body.length) };
    return (socket) => void socket.write(head(status, { ...headers, ...length }) + body);
  },
  reset: ((socket) => void socket.destroy()) as SinkAnswer,
  /** Never answers. */
  hangs: (() => {}) as SinkAnswer,
  /** A status at once, then a byte now and then forever. */
  slowBody: (status: number): SinkAnswer => (socket) => {
    socket.write(head(status, { "content-length": "1000000" }));
    const timer = setInterval(() => socket.write("."), 50);
    socket.on("close", () => clearInterval(timer));
  },
  /** 64 MB as fast as they are taken. */
  hugeBody: (status: number): SinkAnswer => (socket) => {
    const chunk = Buffer.alloc(64 * 1_024, ".");
    let left = 1_024;
    const more = (error?: Error | null) => void (!error && left-- > 0 && socket.write(chunk, more));
    socket.write(head(status, { "content-length": String(left * chunk.length) }), more);
  },
};

/** Starts a receiver on a free port, or on `port`. */
export async function startHttpSink(
  answer: SinkAnswer = answers.status(200),
  port = 0,
): Promise<HttpSink> {
  const sockets = new Set<Socket>();
  const requests: SunkRequest[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let pending: Buffer = Buffer.alloc(0);
    socket.on("data", (data: Buffer) => {
      pending = Buffer.concat([pending, data]);
      for (let taken = take(pending); taken; taken = take(pending)) {
        pending = pending.subarray(taken.size);
        requests.push(taken.request);
        sink.answer(socket, taken.request);
      }
    });
  });
  await new Promise<void>((ready) => void server.listen(port, "127.0.0.1", ready));
  const sink: HttpSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return sink;
}

function head(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join("")}\r\n`;
}

/** The first whole request, if there is one; bodies have a length. */
function take(bytes: Buffer): { request: SunkRequest; size: number } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const [start = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const headers = Object.fromEntries(lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  }));
  const from = end + 4;
  const size = from + Number(headers["content-length"] ?? 0);
  if (bytes.length < size) return null;
  const [method = "", path = ""] = start.split(" ");
  const body = bytes.subarray(from, size).toString("utf8");
  return { request: { at: Date.now(), method, path, headers, body }, size };
}
