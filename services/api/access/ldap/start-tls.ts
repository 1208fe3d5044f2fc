import { Buffer } from "node:buffer";
import { connect as connectPlainly, type Socket } from "node:net";
import { connect as connectByTls, type ConnectionOptions } from "node:tls";

const name = Buffer.from("1.3.6.1.4.1.1466.20037");

/** The request to change to TLS, with the message id 1 (RFC 4511, section 4.14). */
const request = Buffer.from([
  ...[0x30, name.length + 7, 0x02, 1, 1, 0x77, name.length + 2, 0x80, name.length],
  ...name,
]);

/** Bytes of an answer to it that are read at most. */
const longestAnswer = 4_096;

/**
 * A connection that has changed to TLS. The client's own way to do so never ends on Deno 2.7, which must be given
 * TLS while the answer is being read. Rejects when the directory refuses, or its certificate is not right.
 */
export function connectedByStartTls(
  { host, port }: { host: string; port: number },
  options: ConnectionOptions,
  timeout: number,
): Promise<Socket> {
  return new Promise((done, failed) => {
    const plain = connectPlainly(port, host);
    const fail = (error: Error) => {
      clearTimeout(timer);
      plain.destroy();
      failed(error);
    };
    const timer = setTimeout(() => fail(new Error("STARTTLS: no answer in time")), timeout);
    plain.once("error", fail);
    plain.once("close", () => fail(new Error("STARTTLS: the connection was closed")));
    plain.once("connect", () => plain.write(request));
    let read = Buffer.alloc(0);
    plain.on("data", function take(data: Buffer) {
      read = Buffer.concat([read, data]);
      const code = resultOf(read);
      if (code === undefined && read.length <= longestAnswer) return;
      plain.removeListener("data", take);
      if (code !== 0) return fail(new Error(`STARTTLS is refused: result ${code ?? "unknown"}`));
      const secured = connectByTls({ ...options, socket: plain }, () => {
        clearTimeout(timer);
        plain.removeAllListeners("close");
        secured.removeListener("error", fail);
        done(secured);
      });
      secured.once("error", fail);
      plain.resume();
    });
  });
}

/** The result code of an answer; undefined while it is not whole. */
function resultOf(bytes: Buffer): number | undefined {
  const message = element(bytes, 0);
  if (!message || bytes.length < message.end) return undefined;
  const id = element(bytes, message.start);
  const answer = id && element(bytes, id.end);
  const result = answer && element(bytes, answer.start);
  return result && bytes[result.start];
}

/** Where the content of a BER element begins and ends; undefined while its length is not there. */
function element(bytes: Buffer, at: number): { start: number; end: number } | undefined {
  const short = bytes[at + 1];
  if (short === undefined) return undefined;
  if (short < 0x80) return { start: at + 2, end: at + 2 + short };
  const digits = short & 0x7f;
  if (digits > 4 || bytes.length < at + 2 + digits) return undefined;
  const start = at + 2 + digits;
  return { start, end: start + (digits === 0 ? 0 : bytes.readUIntBE(at + 2, digits)) };
}
