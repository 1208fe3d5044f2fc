import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { joinBytes } from "#kit/bytes.ts";
import { messageOf } from "#kit/errors.ts";
import type { Reservation } from "../intake/budget.ts";
import type { IntakeResult, OtlpEncoding, Protocol, SpanIntake } from "../intake/intake.ts";
import { MalformedRequest } from "../otlp/decoding.ts";
import { refusalOf, RequestRejectedError, rpcCode } from "./answers.ts";

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

type ContentEncoding = "identity" | "gzip" | "deflate";

/** How the body is compressed. Throws 415 for what is not known here. */
function contentEncoding(headers: Headers): ContentEncoding {
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
 * and inflated), `OverloadedError` when there is no room, 408 when it does not come.
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

/**
 * The whole body as sent. What has come is reserved, not what was announced. Throws `tooLarge()`
 * beyond `maxBytes`, `OverloadedError` when there is no room, 408 when it does not come.
 */
export async function readAll(
  { body }: Request,
  reservation: Reservation,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body?.getReader();
  const deadline = new Deadline(reservation);
  try {
    for (; reader;) {
      const { done, value } = await deadline.of(reader.read());
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) throw tooLarge();
      reservation.atLeast(bytes);
      chunks.push(value);
    }
  } finally {
    deadline.end();
    // Not cancelled: the rest of what is refused is read before the answer (`discardBody`).
    reader?.releaseLock();
  }
  reservation.complete();
  return chunks.length === 1 ? chunks[0] as Uint8Array<ArrayBuffer> : joinBytes(chunks, bytes);
}

/** Longest time that a client may take to send a request, milliseconds. */
export const sendWithinMs = 30_000;
/** Longest time between two pieces of a request, the first included, milliseconds. */
export const stallWithinMs = 5_000;

/** Milliseconds between two looks at whether a body still comes. */
const checkEveryMs = 500;

/** Ends the wait for a body that stalls, or that is refused to make room for others. */
class Deadline {
  readonly #ended = Promise.withResolvers<never>();
  readonly #timer;
  readonly #begun = performance.now();
  #heard = this.#begun;

  constructor(reservation: Reservation) {
    this.#ended.promise.catch(() => {});
    // One timer for all pieces: there may be thousands of them.
    this.#timer = setInterval(() => this.#check(), checkEveryMs);
    reservation.onWithdrawn(this.#ended.reject);
  }

  async of<T>(piece: Promise<T>): Promise<T> {
    const come = await Promise.race([piece, this.#ended.promise]);
    this.#heard = performance.now();
    return come;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const now = performance.now();
    if (now - this.#begun < sendWithinMs && now - this.#heard < stallWithinMs) return;
    const message = "The body did not come in time";
    this.#ended.reject(new RequestRejectedError(408, rpcCode.deadlineExceeded, message));
  }
}

interface InflateOptions {
  inflater: (sent: Uint8Array, options: { maxOutputLength: number }) => Uint8Array<ArrayBuffer>;
  /** That of the request; what the inflated bytes take is added to it. */
  reservation: Reservation;
  /** Most inflated bytes. */
  maxBytes: number;
  /** The error for more than `maxBytes`. */
  tooLarge: () => Error;
  /** The error for bytes that the inflater cannot read. */
  malformed: (cause: unknown) => Error;
}

/**
 * Inflates a body or message; stops as soon as a bound is passed, however small it was as sent. Throws
 * `tooLarge()`, `malformed(cause)`, and `OverloadedError` when the gateway has no room for what it inflates to.
 */
export function inflate(sent: Uint8Array, options: InflateOptions): Uint8Array<ArrayBuffer> {
  const { reservation, maxBytes, tooLarge } = options;
  const capacity = Math.max(1, Math.min(maxBytes, reservation.free));
  const whole = inflatedWithin(capacity, sent, options);
  // When it was the room that was too small, this throws `OverloadedError`.
  if (whole === null && capacity < maxBytes) reservation.atLeast(sent.length + capacity + 1);
  if (whole === null) throw tooLarge();
  reservation.atLeast(sent.length + whole.length);
  return new Uint8Array(whole.buffer, whole.byteOffset, whole.length);
}

/** Null when it would be longer than `maxOutputLength`. */
function inflatedWithin(
  maxOutputLength: number,
  sent: Uint8Array,
  { inflater, malformed }: InflateOptions,
): Uint8Array<ArrayBuffer> | null {
  try {
    return inflater(sent, { maxOutputLength });
  } catch (cause) {
    if ((cause as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") return null;
    throw malformed(cause);
  }
}
