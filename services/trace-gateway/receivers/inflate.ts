import type { Reservation } from "../intake/budget.ts";

export interface InflateOptions {
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
