import { connect, type Socket } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  /** 0 when the server closed without a word. */
  status: number;
  headers: Headers;
  text: string;
}

/** An open connection to the server at `url`, for requests that no HTTP client would send. */
export async function openRaw(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((ready, fail) => socket.once("connect", ready).once("error", fail));
  return socket.on("error", () => {});
}

/**
 * Sends `head` (request line and header lines, without the empty line) and `body` as they are, asks for
 * the connection to be closed, and reads the answer.
 */
export async function sendRaw(url: string, head: string[], body = ""): Promise<RawAnswer> {
  const socket = await openRaw(url);
  socket.write(`${[...head, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
  return await readAnswer(socket);
}

/** Reads one answer, by its length or until the server closes, and leaves. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  let received = "";
  const whole = Promise.withResolvers<void>();
  socket.setEncoding("latin1").once("close", whole.resolve).on("data", (chunk: string) => {
    received += chunk;
    const { headers, text } = parsed(received);
    if (text.length >= Number(headers.get("content-length") ?? Infinity)) whole.resolve();
  });
  await whole.promise;
  socket.destroy();
  return parsed(received);
}

function parsed(received: string): RawAnswer {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return { status: 0, headers: new Headers(), text: "" };
  const [line = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((one): [string, string] => {
    const colon = one.indexOf(":");
    return [one.slice(0, colon), one.slice(colon + 1).trim()];
  }));
  return { status: Number(line.split(" ")[1]), headers, text: received.slice(end + 4) };
}
