import { Buffer } from "node:buffer";
import { skipString, type Slice } from "./bytes.ts";

/** Keys of the upstream spelling, mapped to ours. */
export const translatedKeys: ReadonlyMap<string, string> = new Map(
  [
    "oddrn",
    "data_source_oddrn",
    "dataset_oddrn",
    "parent_oddrn",
    "parent_field_oddrn",
    "reference_oddrn",
    "transformer_oddrn",
    "data_quality_test_oddrn",
    "group_oddrn",
    "source_dataset_oddrn",
    "target_dataset_oddrn",
    "source_dataset_field_oddrns_list",
    "target_dataset_field_oddrns_list",
  ].map((key) => [key, key.replace("oddrn", "catrn")]),
);
const longestKey = Math.max(...[...translatedKeys.keys()].map((key) => key.length));

/**
 * The body with its `oddrn` keys respelled as `catrn`. Only known keys change, never those within
 * free maps (`metadata`, `attributes`, `expectation`, the `fields` of statistics) and never values.
 * Takes one pass; returns `bytes` itself when the word does not occur.
 */
export function translateKeys(body: Uint8Array): Uint8Array {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!names(body)) return body;
  const slices = findKeys(buffer);
  if (slices.length === 0) return body;
  // Both spellings have the same length, so a copy can be changed in place.
  const copy = Buffer.from(buffer);
  for (const { from, to } of slices) {
    copy.write(translatedKeys.get(buffer.toString("latin1", from, to))!, from, "latin1");
  }
  return new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength);
}

const decoder = new TextDecoder();
/** Bytes that are looked at in one text. */
const window = 65_536;
const word = "oddrn";

/** Whether the word occurs; the runtime finds it in a text ten times as fast as in a buffer. */
function names(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += window) {
    const piece = bytes.subarray(at, at + window + word.length - 1);
    if (decoder.decode(piece).includes(word)) return true;
  }
  return false;
}

/** The object or array that surrounds the current byte. */
interface Frame {
  object: boolean;
  /** Nothing inside is renamed. */
  free: boolean;
  /** The keys of this object are names chosen by the sender, but its values may be renamed. */
  keysFree: boolean;
  /** The key whose value comes next, if it is one that matters. */
  key: string;
}

function findKeys(buffer: Buffer): Slice[] {
  const found: Slice[] = [];
  const stack: Frame[] = [{ object: false, free: false, keysFree: false, key: "" }];
  let expectKey = false;
  for (let i = 0; i < buffer.length; i++) {
    const byte = buffer[i]!;
    const top = stack[stack.length - 1]!;
    if (byte === 0x22) {
      const end = skipString(buffer, i);
      if (expectKey) {
        top.key = top.free ? "" : takeKey(buffer, { from: i + 1, to: end - 1 }, top, found);
        expectKey = false;
      }
      i = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) {
      stack.push(within(top, byte === 0x7b));
      expectKey = byte === 0x7b;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (stack.length > 1) stack.pop();
      expectKey = false;
    } else if (byte === 0x2c) expectKey = top.object;
  }
  return found;
}

function takeKey(buffer: Buffer, slice: Slice, frame: Frame, found: Slice[]): string {
  if (slice.to - slice.from > longestKey) return "";
  const key = buffer.toString("latin1", slice.from, slice.to);
  if (frame.keysFree) return "";
  if (translatedKeys.has(key)) found.push(slice);
  return key;
}

function within(frame: Frame, object: boolean): Frame {
  // `metadata` is a list of extensions, each holding a free map that is called `metadata` too.
  const free = frame.free || frame.key === "attributes" || frame.key === "expectation" ||
    (frame.key === "metadata" && object);
  return { object, free, keysFree: object && frame.key === "fields", key: "" };
}
