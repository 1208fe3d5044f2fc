import { gunzipSync, inflateSync } from "node:zlib";
import { messageOf } from "#kit/errors.ts";
import type { Reservation } from "../intake/budget.ts";
import { inflate } from "../receivers/inflate.ts";
import { readAll } from "../receivers/read.ts";
import { RequestRejectedError, rpcCode } from "../receivers/refusal.ts";

/** A flag and the length of what follows, before each message. */
const headBytes = 5;

const inflaters = { gzip: gunzipSync, deflate: inflateSync };

/** Supported encodings of messages, for `grpc-accept-encoding`. */
export const encodings = `identity,${Object.keys(inflaters).join(",")}`;

/**
 * The one message of a unary call, inflated. Throws RESOURCE_EXHAUSTED without RetryInfo beyond
 * `maxBytes` (as sent and inflated) and with it when there is no room, DEADLINE_EXCEEDED when it does
 * not come, UNIMPLEMENTED for an unknown encoding and for anything but one whole message.
 */
export async function readMessage(
  request: Request,
  reservation: Reservation,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAll(request, reservation, headBytes + maxBytes, () => tooLarge(maxBytes));
  if (bytes.length < headBytes) throw refused(rpcCode.unimplemented, "The call has no message");
  const compressed = bytes[0] === 1;
  if (bytes[0]! > 1) throw refused(rpcCode.internal, "The message has unknown flags");
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (length > maxBytes) throw tooLarge(maxBytes);
  if (length !== bytes.length - headBytes) {
    throw refused(rpcCode.unimplemented, "The call is not one whole message");
  }
  const message = bytes.subarray(headBytes);
  return compressed ? inflated(request.headers, message, reservation, maxBytes) : message;
}

function inflated(
  headers: Headers,
  message: Uint8Array,
  reservation: Reservation,
  maxBytes: number,
): Uint8Array<ArrayBuffer> {
  const encoding = headers.get("grpc-encoding") ?? "identity";
  if (!isKnown(encoding)) {
    throw refused(rpcCode.unimplemented, `The encoding must be one of ${encodings}`);
  }
  return inflate(message, {
    inflater: inflaters[encoding],
    reservation,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    malformed: (cause) =>
      refused(rpcCode.internal, `The message is not ${encoding}: ${messageOf(cause)}`),
  });
}

function isKnown(encoding: string): encoding is keyof typeof inflaters {
  return Object.hasOwn(inflaters, encoding);
}

function refused(code: number, message: string): RequestRejectedError {
  return new RequestRejectedError(400, code, message);
}

function tooLarge(maxBytes: number): RequestRejectedError {
  const message = `The message is larger than ${maxBytes} bytes (traces.max-request-size)`;
  return new RequestRejectedError(413, rpcCode.resourceExhausted, message);
}
