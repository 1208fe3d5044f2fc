import type protobuf from "protobufjs/minimal.js";
import type { DecodingState } from "./decoding.ts";

/** Wire types of protobuf. */
export const [varint, fixed64, message] = [0, 1, 2];

/** Tag of a field: its number and its wire type. */
export const field = (number: number, wireType: number) => number << 3 | wireType;

/**
 * Calls `take` with the tag of each field of a message of `length` bytes; without a length the message
 * is all that is left. What `take` does not take (false) is skipped. Throws for a message that does not
 * end where it says, and for too many fields in all.
 */
export function eachField(
  reader: protobuf.Reader,
  walk: DecodingState,
  take: (tag: number) => boolean,
  length = reader.len - reader.pos,
): void {
  const { len } = reader;
  reader.len = endOf(reader, length);
  while (reader.pos < reader.len) {
    const tag = tagOf(reader, walk);
    if (!take(tag)) skip(reader, tag);
  }
  leave(reader, len);
}

/** Calls `take` at each field with this tag of the message that stands here; the others are skipped. */
export function eachOf(
  reader: protobuf.Reader,
  walk: DecodingState,
  wanted: number,
  take: () => void,
): void {
  eachField(reader, walk, (tag) => {
    if (tag !== wanted) return false;
    take();
    return true;
  }, reader.uint32());
}

/**
 * The same as a generator, for the messages around spans, so that the event loop can be yielded in between:
 * yields the tag of each field, whose value must be read or skipped before the next.
 */
export function* fieldsOf(
  reader: protobuf.Reader,
  walk: DecodingState,
  length = reader.len - reader.pos,
): Generator<number> {
  const { len } = reader;
  const end = endOf(reader, length);
  while (reader.pos < end) {
    reader.len = end;
    yield tagOf(reader, walk);
  }
  reader.len = end;
  leave(reader, len);
}

export function skip(reader: protobuf.Reader, tag: number): void {
  reader.skipType(tag & 7, 0, tag >>> 3);
}

function tagOf(reader: protobuf.Reader, walk: DecodingState): number {
  walk.field();
  const tag = reader.uint32();
  if (tag >>> 3 === 0) throw new RangeError("a field has no number");
  return tag;
}

/** `len` is the end of the message around this one. */
function leave(reader: protobuf.Reader, len: number): void {
  if (reader.pos !== reader.len) throw new RangeError("a message is longer than it says");
  reader.len = len;
}

/** Where `length` bytes from here end. Throws when that is beyond what holds them. */
export function endOf(reader: protobuf.Reader, length: number): number {
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError(`${length} bytes at ${reader.pos} are not all there`);
  return end;
}

/**
 * A fixed64 in nanoseconds since the epoch, as microseconds; the nearest, since a number holds
 * nanoseconds to a quarter of one.
 */
export function micros(reader: protobuf.Reader): number {
  const low = reader.fixed32();
  return Math.round((reader.fixed32() * 4_294_967_296 + low) / 1_000);
}
