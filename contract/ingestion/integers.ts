import { skipSpace, skipString } from "./bytes.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Parses JSON; integers beyond 2^53 become bigints with their exact digits. They pass through
 * `parse` as marked strings, because a reviver is called for every value and costs fifty times as
 * much. Throws what `parse` throws.
 */
export function parseExactly(text: string, parse: (text: string) => unknown): unknown {
  const mark = crypto.randomUUID();
  const marked = marking(encoder.encode(text), mark);
  // Parse errors must refer to the original text, so `parse` gets that one.
  if (marked === undefined) return parse(text);
  let tree: unknown;
  try {
    tree = JSON.parse(marked);
  } catch {
    return parse(text);
  }
  return unmarked(tree, mark);
}

const longInteger = /^-?[1-9]\d{15,}$/;

/** The text with each long integer as a string that starts with `mark`; undefined if it has none. */
function marking(bytes: Uint8Array, mark: string): string | undefined {
  const pieces: string[] = [];
  let copied = 0;
  for (let i = 0; i < bytes.length;) {
    if (bytes[i] === 0x22) {
      i = skipString(bytes, i);
      continue;
    }
    const end = numberEnd(bytes, i);
    if (end - i >= 16) {
      const number = decoder.decode(bytes.subarray(i, end));
      // A number followed by a colon is an invalid key; as a string it would become a valid one.
      if (longInteger.test(number) && bytes[skipSpace(bytes, end)] !== 0x3a) {
        pieces.push(decoder.decode(bytes.subarray(copied, i)), `"${mark}${number}"`);
        copied = end;
      }
    }
    i = Math.max(end, i + 1);
  }
  if (pieces.length === 0) return undefined;
  return pieces.join("") + decoder.decode(bytes.subarray(copied));
}

/** Index after the number characters that start at `at`. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  for (let b = bytes[i]!; isOfNumber(b); b = bytes[i]!) i++;
  return i;
}

/** Digits, `+`, `-`, `.`, `e`, `E`. */
function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e ||
    byte === 0x65 || byte === 0x45;
}

function unmarked(value: unknown, mark: string): unknown {
  if (typeof value === "string") return value.startsWith(mark) ? exact(value, mark) : value;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = unmarked(value[i], mark);
  } else if (typeof value === "object" && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      // `__proto__` is refused later; a plain assignment would not create the key.
      const read = unmarked(member, mark);
      if (read !== member && key !== "__proto__") members[key] = read;
    }
  }
  return value;
}

function exact(text: string, mark: string): number | bigint {
  const digits = text.slice(mark.length);
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
}
