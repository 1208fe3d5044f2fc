import { Buffer } from "node:buffer";

/**
 * Arrays as PostgreSQL reads them in binary (`array_recv`), for statements of thousands of rows: the driver passes a
 * `Buffer` on as it is, where it would escape each element of an array into a text that PostgreSQL parses again.
 * The type must be that of the statement (`$1::bigint[]`); PostgreSQL refuses any other.
 */
type Elements<T> = readonly (T | null | undefined)[];

/** Object ids of the element types (`pg_type.oid`). */
const oids = { boolean: 16, bigint: 20, smallint: 21, integer: 23, text: 25, tsvector: 3614 };

/** Bytes before the elements: dimensions, whether there are nulls, type, length, and the index of the first. */
const headBytes = 20;
/** Bytes of the length before each element; −1 for null. */
const lengthBytes = 4;

/** A parameter for `bigint[]`. */
export function bigints(values: Elements<number>): Buffer {
  return fixed(values, oids.bigint, 8, (view, at, value) => {
    // Shifts of JavaScript work on 32 bits.
    view.setInt32(at, Math.floor(whole(value, Number.MAX_SAFE_INTEGER) / 2 ** 32));
    view.setUint32(at + 4, value >>> 0);
  });
}

/** A parameter for `integer[]`. */
export function integers(values: Elements<number>): Buffer {
  return fixed(values, oids.integer, 4, (view, at, value) => {
    view.setInt32(at, whole(value, 2 ** 31 - 1));
  });
}

/** A parameter for `smallint[]`. */
export function smallints(values: Elements<number>): Buffer {
  return fixed(values, oids.smallint, 2, (view, at, value) => {
    view.setInt16(at, whole(value, 2 ** 15 - 1));
  });
}

/** A parameter for `boolean[]`. */
export function booleans(values: Elements<boolean>): Buffer {
  return fixed(values, oids.boolean, 1, (view, at, value) => view.setUint8(at, value ? 1 : 0));
}

/** The number itself; throws for one that the type cannot hold, whose other bits would be lost silently. */
function whole(value: number, max: number): number {
  if (Number.isInteger(value) && Math.abs(value) <= max) return value;
  throw new RangeError(`${value} is no whole number of up to ${max}`);
}

function fixed<T>(
  values: Elements<T>,
  oid: number,
  size: number,
  write: (view: DataView, at: number, value: T) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + values.length * (lengthBytes + size));
  const view = viewOf(bytes);
  let at = headBytes;
  let nulls = false;
  for (const value of values) {
    const absent = value === null || value === undefined;
    view.setInt32(at, absent ? -1 : size);
    at += lengthBytes;
    if (absent) nulls = true;
    else {
      write(view, at, value);
      at += size;
    }
  }
  return finished(bytes.subarray(0, at), view, { oid, count: values.length, nulls });
}

/** A parameter for `tsvector[]`, of vectors in their binary form. */
export function tsvectors(values: readonly Uint8Array[]): Buffer {
  const size = values.reduce((sum, { length }) => sum + lengthBytes + length, headBytes);
  const bytes = Buffer.allocUnsafe(size);
  const view = viewOf(bytes);
  let at = headBytes;
  for (const value of values) {
    view.setInt32(at, value.length);
    bytes.set(value, at + lengthBytes);
    at += lengthBytes + value.length;
  }
  return finished(bytes, view, { oid: oids.tsvector, count: values.length, nulls: false });
}

/** Where lengths will be written; it takes one byte for each character. */
const gap = "\0".repeat(lengthBytes);
const front = "\0".repeat(headBytes);

/**
 * A parameter for `text[]`. All elements are encoded at once, with room for their lengths, since a native call for
 * each costs more than its bytes; what is no Unicode becomes U+FFFD, as in any text that the driver sends.
 */
export function texts(values: Elements<string>): Buffer {
  const all = values.length === 0 ? front : `${front}${gap}${values.join(gap)}`;
  const bytes = Buffer.from(all, "utf8");
  const view = viewOf(bytes);
  const ascii = bytes.length === all.length;
  let at = headBytes;
  let nulls = false;
  for (const value of values) {
    const absent = value === null || value === undefined;
    const start = at + lengthBytes;
    const units = absent ? 0 : value.length;
    const end = ascii ? start + units : endOf(bytes, start, units);
    view.setInt32(at, absent ? -1 : end - start);
    if (absent) nulls = true;
    at = end;
  }
  return finished(bytes, view, { oid: oids.text, count: values.length, nulls });
}

/** Where a text of so many UTF-16 units ends that begins at `at`, by the first byte of each character. */
function endOf(bytes: Uint8Array, at: number, units: number): number {
  for (let left = units; left > 0; left--) {
    const first = bytes[at]!;
    if (first < 0x80) at += 1;
    else if (first < 0xe0) at += 2;
    else if (first < 0xf0) at += 3;
    else {
      // A character of two units.
      at += 4;
      left--;
    }
  }
  return at;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

interface Head {
  oid: number;
  count: number;
  nulls: boolean;
}

function finished(bytes: Buffer, view: DataView, { oid, count, nulls }: Head): Buffer {
  view.setInt32(0, count === 0 ? 0 : 1);
  view.setInt32(4, nulls ? 1 : 0);
  view.setInt32(8, oid);
  view.setInt32(12, count);
  view.setInt32(16, 1);
  // An array without elements has no dimension to describe.
  return count === 0 ? bytes.subarray(0, 12) : bytes;
}
