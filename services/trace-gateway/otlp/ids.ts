const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Lower-case hex of the bytes of an id; null when it has another length or is all zero. */
export function idOfBytes(bytes: Uint8Array, length: number): string | null {
  if (bytes.length !== length) return null;
  let hex = "";
  let any = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!;
    any |= byte;
    hex += pairs[byte]!;
  }
  return any === 0 ? null : hex;
}

const hexOf = new Map([8, 16].map((length) => [length, new RegExp(`^[0-9a-f]{${length * 2}}$`)]));

/** An id written in hex, in lower case; null when it has another length or is all zero. */
export function idOfText(text: string, length: 8 | 16): string | null {
  const id = text.toLowerCase();
  return hexOf.get(length)!.test(id) && /[^0]/.test(id) ? id : null;
}
