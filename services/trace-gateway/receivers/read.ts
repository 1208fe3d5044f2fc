import type { Reservation } from "../intake/budget.ts";
import { RequestRejectedError, rpcCode } from "./refusal.ts";

/** Longest time that a client may take to send a request, milliseconds. */
export const sendWithinMs = 30_000;
/** Longest time between two pieces of a request, the first included, milliseconds. */
export const stallWithinMs = 5_000;

/**
 * The whole body as sent. What has come is reserved, not what was announced. Throws `tooLarge()`
 * beyond `maxBytes`, `Overloaded` when there is no room, 408 when it does not come.
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
  return joined(chunks, bytes);
}

function joined(chunks: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1) return chunks[0] as Uint8Array<ArrayBuffer>;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

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
 * `tooLarge()`, `malformed(cause)`, and `Overloaded` when the gateway has no room for what it inflates to.
 */
export function inflate(sent: Uint8Array, options: InflateOptions): Uint8Array<ArrayBuffer> {
  const { reservation, maxBytes, tooLarge } = options;
  const capacity = Math.max(1, Math.min(maxBytes, reservation.free));
  const whole = inflatedWithin(capacity, sent, options);
  // When it was the room that was too small, this throws `Overloaded`.
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
