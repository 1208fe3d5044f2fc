import type protobuf from "protobufjs/minimal.js";
import {
  type AnyMap,
  type AnyValue,
  attributeOf,
  type Attributes,
  type DecodingState,
  deepestValue,
} from "./decoding.ts";
import { eachField, eachOf, endOf, field, fixed64, message, varint } from "./wire.ts";

const keyValue = { key: field(1, message), value: field(2, message) };
const anyValue = {
  string: field(1, message),
  bool: field(2, varint),
  int: field(3, varint),
  double: field(4, fixed64),
  list: field(5, message),
  map: field(6, message),
  bytes: field(7, message),
};
const values = field(1, message);

/** Takes the attribute that stands here if it is wanted; of a key that occurs twice the last counts. */
export function takeAttribute(
  reader: protobuf.Reader,
  walk: DecodingState,
  attributes: Attributes,
): void {
  const { wanted } = walk;
  const length = reader.uint32();
  const { buf, pos } = reader;
  const end = endOf(reader, length);
  const keyLength = buf[pos + 1] ?? 0;
  // Every encoder writes the key first.
  const plain = length > 1 && buf[pos] === keyValue.key && keyLength < 128;
  if (plain && wanted.match(buf, pos + 2, keyLength) === null) {
    reader.pos = end;
    return;
  }
  const [key, value] = takeEntry(reader, walk, length, 0);
  if (!wanted.all.has(key)) return;
  const known = attributeOf(value);
  // lookup-ok -- only wanted keys come here
  if (known !== undefined) attributes[key] = known;
}

function takeEntry(
  reader: protobuf.Reader,
  walk: DecodingState,
  length: number,
  depth: number,
): [key: string, value: AnyValue] {
  let key = "";
  let value: AnyValue;
  eachField(reader, walk, (tag) => {
    if (tag === keyValue.key) key = reader.string();
    else if (tag === keyValue.value) value = takeValue(reader, walk, depth);
    else return false;
    return true;
  }, length);
  return [key, value];
}

/** Undefined for an empty value and for raw bytes, which no wanted attribute holds. */
function takeValue(reader: protobuf.Reader, walk: DecodingState, depth: number): AnyValue {
  if (depth > deepestValue) throw new RangeError("a value is nested too deep");
  let value: AnyValue;
  eachField(reader, walk, (tag) => {
    if (tag === anyValue.string) value = reader.string();
    else if (tag === anyValue.bool) value = reader.bool();
    else if (tag === anyValue.int) value = integerOf(reader.int64() as Int64);
    else if (tag === anyValue.double) value = reader.double();
    else if (tag === anyValue.list) value = takeList(reader, walk, depth + 1);
    else if (tag === anyValue.map) value = takeMap(reader, walk, depth + 1);
    else {
      if (tag === anyValue.bytes) value = undefined;
      return false;
    }
    return true;
  }, reader.uint32());
  return value;
}

function takeList(reader: protobuf.Reader, walk: DecodingState, depth: number): AnyValue[] {
  const list: AnyValue[] = [];
  eachOf(reader, walk, values, () => list.push(takeValue(reader, walk, depth)));
  return list;
}

function takeMap(reader: protobuf.Reader, walk: DecodingState, depth: number): AnyMap {
  const map: AnyMap = new Map();
  eachOf(reader, walk, values, () => map.set(...takeEntry(reader, walk, reader.uint32(), depth)));
  return map;
}

/** A 64-bit integer as protobufjs gives it: a number, or two halves where its helper is installed. */
type Int64 = number | { low: number; high: number } | null | undefined;

/** A signed integer: a number while it is exact, else its digits. */
function integerOf(wide: Int64): number | string {
  if (wide === null || wide === undefined) return 0;
  if (typeof wide === "number") return wide;
  const near = wide.high * 4_294_967_296 + (wide.low >>> 0);
  if (Number.isSafeInteger(near)) return near;
  return ((BigInt(wide.high) << 32n) | BigInt(wide.low >>> 0)).toString();
}
