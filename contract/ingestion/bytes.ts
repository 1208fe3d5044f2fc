/** A byte range of a JSON text: `from` inclusive, `to` exclusive. */
export interface Slice {
  from: number;
  to: number;
}

/** A member of an object: its key (quotes excluded) and its value. */
export interface Member {
  key: Slice;
  value: Slice;
}

const quote = 0x22;
const backslash = 0x5c;
const braceOpen = 0x7b;
const braceClose = 0x7d;
const bracketOpen = 0x5b;
const bracketClose = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** Index of the first byte at or after `at` that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let i = at;
  for (let b = bytes[i]; b === 0x20 || b === 0x0a || b === 0x0d || b === 0x09; b = bytes[i]) i++;
  return i;
}

/** Index after the closing quote of the string that opens at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  for (let i = at + 1; i < bytes.length; i++) {
    if (bytes[i] === quote) return i + 1;
    if (bytes[i] === backslash) i++;
  }
  return bytes.length;
}

/** Index after the value that starts at `at`; does not recurse, so deep nesting is safe. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === quote) return skipString(bytes, at);
  if (first !== braceOpen && first !== bracketOpen) return skipScalar(bytes, at);
  let depth = 0;
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === quote) {
      // As `skipString`, whose call for each string would take half as long again.
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
    } else if (byte === braceOpen || byte === bracketOpen) depth++;
    else if ((byte === braceClose || byte === bracketClose) && --depth === 0) return i + 1;
  }
  return bytes.length;
}

function skipScalar(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length) {
    const byte = bytes[i]!;
    if (byte === comma || byte === braceClose || byte === bracketClose || byte <= 0x20) break;
    i++;
  }
  return i;
}

/** Members of the object that opens at `at`, in order; none when there is no object. */
export function* membersOf(bytes: Uint8Array, at: number): Generator<Member> {
  if (bytes[at] !== braceOpen) return;
  let i = skipSpace(bytes, at + 1);
  while (bytes[i] === quote) {
    const end = skipString(bytes, i);
    const key = { from: i + 1, to: end - 1 };
    i = skipSpace(bytes, end);
    if (bytes[i] !== colon) return;
    const from = skipSpace(bytes, i + 1);
    const to = skipValue(bytes, from);
    yield { key, value: { from, to } };
    i = skipSpace(bytes, to);
    if (bytes[i] !== comma) return;
    i = skipSpace(bytes, i + 1);
  }
}

/** Elements of the array that opens at `at`, in order; none when there is no array. */
export function* elementsOf(bytes: Uint8Array, at: number): Generator<Slice> {
  if (bytes[at] !== bracketOpen) return;
  let i = skipSpace(bytes, at + 1);
  while (i < bytes.length && bytes[i] !== bracketClose) {
    const to = skipValue(bytes, i);
    if (to === i) return;
    yield { from: i, to };
    i = skipSpace(bytes, to);
    if (bytes[i] !== comma) return;
    i = skipSpace(bytes, i + 1);
  }
}

const decoder = new TextDecoder();

/** The text of a key with its escapes resolved; undefined when an escape is not valid JSON. */
export function keyText(bytes: Uint8Array, { from, to }: Slice): string | undefined {
  const raw = decoder.decode(bytes.subarray(from, to));
  return raw.includes("\\") ? stringOf(`"${raw}"`) : raw;
}

/** The string at this place; undefined when it is another value or not valid JSON. */
export function stringText(bytes: Uint8Array, { from, to }: Slice): string | undefined {
  return bytes[from] === quote ? stringOf(decoder.decode(bytes.subarray(from, to))) : undefined;
}

function stringOf(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
