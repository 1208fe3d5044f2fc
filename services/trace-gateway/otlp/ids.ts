const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Reasons of refusal, as the exporter's log will show them. */
export const badTraceId = "a trace id must be 16 bytes, not all zero";
export const badSpanId = "a span id must be 8 bytes, not all zero";

/** Lower-case hex of an id of `length` bytes from `start`; null when it is all zero. */
export function idOfBytes(bytes: Uint8Array, start: number, length: number): string | null {
  let hex = "";
  let any = 0;
  for (let at = start; at < start + length; at++) {
    const byte = bytes[at]!;
    any |= byte;
    hex += pairs[byte]!;
  }
  return any === 0 ? null : hex;
}

const hexOf = { 8: /^[0-9a-f]{16}$/, 16: /^[0-9a-f]{32}$/ };

/** An id written in hex, in lower case; null when it has another length or is all zero. */
export function idOfText(text: string, length: 8 | 16): string | null {
  const id = text.toLowerCase();
  return hexOf[length].test(id) && /[^0]/.test(id) ? id : null;
}
