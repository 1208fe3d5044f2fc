import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { messageOf } from "#kit/errors.ts";
import type { IntakeResult, OtlpEncoding, Protocol, SpanIntake } from "../intake/intake.ts";
import { refusalOf, RequestRejectedError, rpcCode } from "./refusal.ts";
import type { Reservation } from "../intake/budget.ts";
import { MalformedRequest } from "../otlp/decoded.ts";
import { inflate, readAll } from "./read.ts";

/** Takes one export request, from its unread body to the event log, within the memory budget. */
export async function takeExport(
  request: Request,
  intake: SpanIntake,
  how: { encoding: OtlpEncoding; protocol: Protocol; maxBytes: number; client: string },
): Promise<IntakeResult> {
  const reservation = intake.budget.open(how.client);
  try {
    const body = await unread(intake, how.protocol, async () => {
      intake.assertOpen();
      return await readBody(request, reservation, how.maxBytes);
    });
    return await intake.accept(body, how, reservation);
  } catch (error) {
    await reservation.refused(refusalOf(error).status, request.signal);
    throw error;
  } finally {
    reservation.release();
  }
}

/** Counts what fails before there is anything to decode. */
async function unread<T>(
  intake: SpanIntake,
  protocol: Protocol,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    intake.refusedUnread(protocol);
    throw error;
  }
}

type Inflate = "identity" | "gzip" | "deflate";

/** How the body is compressed. Throws 415 for what is not known here. */
function contentEncoding(headers: Headers): Inflate {
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
async function readBody(
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
