import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { messageOf } from "#kit/errors.ts";
import type { Reservation } from "../intake/budget.ts";
import { MalformedRequest } from "../otlp/decoded.ts";
import { inflate } from "./inflate.ts";
import { readAll } from "./read.ts";
import { RequestRejectedError, rpcCode } from "./refusal.ts";

export type Inflate = "identity" | "gzip" | "deflate";

/** How the body is compressed. Throws 415 for what is not known here. */
export function contentEncoding(headers: Headers): Inflate {
  const named = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (named === "identity" || named === "gzip" || named === "deflate") return named;
  throw new RequestRejectedError(
    415,
    rpcCode.invalidArgument,
    `Content-Encoding ${named} is not known: gzip, deflate or identity`,
  );
}

/**
 * The whole body, inflated. Room for it is reserved as it comes. Throws 413 beyond `maxBytes` (as sent
 * and inflated), `Overloaded` when there is no room, 408 when it does not come.
 */
export async function readBody(
  request: Request,
  reservation: Reservation,
  maxBytes: number,
): Promise<Uint8Array> {
  const encoding = contentEncoding(request.headers);
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  const sent = await readAll(request, reservation, maxBytes, () => tooLarge(maxBytes));
  if (encoding === "identity") return sent;
  return inflate(sent, {
    inflater: encoding === "gzip" ? gunzipSync : isZlib(sent) ? inflateSync : inflateRawSync,
    reservation,
    maxBytes,
    tooLarge: () => tooLarge(maxBytes),
    malformed: (cause) =>
      new MalformedRequest(`the body is not ${encoding}: ${messageOf(cause)}`, { cause }),
  });
}

/** `deflate` means data in a zlib frame; some clients leave the frame out. */
function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

function tooLarge(maxBytes: number): RequestRejectedError {
  return new RequestRejectedError(
    413,
    rpcCode.resourceExhausted,
    `The request is larger than ${maxBytes} bytes (traces.max-request-size)`,
  );
}
