import { badRequest } from "#kit/errors.ts";

/** Deepest accepted nesting of arrays and objects. */
export const maxJsonDepth = 100;

/** Most consecutive digits of a number. */
export const maxJsonDigits = 1_000;

/** How much a JSON text may contain; each of these costs memory that the byte size does not show. */
export interface JsonLimits {
  /** Objects and arrays. */
  containers: number;
  /** Members of objects. */
  members: number;
  /** Commas between array elements: all elements but the first of each array. */
  elements: number;
}

/** More than 20 MB of the smallest valid items contain. */
export const jsonLimits: JsonLimits = {
  containers: 1_000_000,
  members: 2_000_000,
  elements: 2_000_000,
};

/** Whether a range of a JSON text may contain something that only a costly parsing step handles. */
export interface JsonTraits {
  /** 16 or more digits in a row: possibly an integer beyond 2^53. */
  longNumbers: boolean;
  /** A literal `null`. */
  nulls: boolean;
  /** A `\u` escape, the only way to spell NUL or half a surrogate pair. */
  unicodeEscapes: boolean;
  /** The word `__proto__`. */
  proto: boolean;
}

/** What one pass over a JSON text found. Plain data, so it can be sent to a worker thread. */
export interface JsonInspection {
  /** Counts over the whole text, in the sense of `JsonLimits`. */
  holds: JsonLimits;
  /** One byte for each block of the text: the traits that occur in it, as bit flags. */
  marks: ArrayBuffer;
}

/** Size of a block: 2 to this power, in bytes. */
const blockBits = 8;
const marks = { longNumbers: 1, nulls: 2, unicodeEscapes: 4, proto: 8 };

/**
 * Scans all bytes of a JSON text once. Throws a 400 `AppError` that names the bound when nesting
 * exceeds `maxJsonDepth`, a number exceeds `maxJsonDigits`, or a count exceeds `limits`. Does not
 * check that the text is valid JSON.
 */
export function inspectJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): JsonInspection {
  const found = new Uint8Array((bytes.length >> blockBits) + 1);
  const inArray = new Uint8Array(maxJsonDepth + 1);
  let [depth, digits, containers, members, elements] = [0, 0, 0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits >= 16) found[i >> blockBits]! |= marks.longNumbers;
      if (digits > maxJsonDigits) {
        throw badRequest(`A number has more than ${maxJsonDigits} digits`);
      }
      continue;
    }
    digits = 0;
    if (byte === 0x22) i = inspectString(bytes, i + 1, found);
    else if (byte === 0x2c) {
      if (inArray[depth] === 1 && ++elements > limits.elements) refuse("elements", limits);
    } else if (byte === 0x3a) {
      if (++members > limits.members) refuse("members", limits);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) throw badRequest(`JSON is nested deeper than ${maxJsonDepth}`);
      inArray[depth] = byte === 0x5b ? 1 : 0;
      if (++containers > limits.containers) refuse("containers", limits);
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth > 0) depth--;
    } else if (byte === 0x6e) found[i >> blockBits]! |= marks.nulls;
  }
  return { holds: { containers, members, elements }, marks: found.buffer };
}

/** Whether an inspected text holds no more than `limits`. */
export function isWithin({ holds }: JsonInspection, limits: JsonLimits): boolean {
  return holds.containers <= limits.containers && holds.members <= limits.members &&
    holds.elements <= limits.elements;
}

/**
 * The traits of the bytes `from` (inclusive) to `to` (exclusive), by default of all. Blocks are
 * coarse, so traits of neighbouring bytes may be included.
 */
export function traitsOf(inspected: JsonInspection, from = 0, to?: number): JsonTraits {
  return traitsIn(new Uint8Array(inspected.marks), from, to);
}

/** As `traitsOf`, of the bytes of `marks`: for callers with a thousand ranges. */
export function traitsIn(found: Uint8Array, from: number, to?: number): JsonTraits {
  const last = to === undefined ? found.length - 1 : (to - 1) >> blockBits;
  let all = 0;
  for (let block = from >> blockBits; block <= last; block++) all |= found[block]!;
  return traitsByMarks[all]!;
}

/** The traits of each combination of marks. */
const traitsByMarks = Array.from({ length: 16 }, (_, all): JsonTraits => ({
  longNumbers: (all & marks.longNumbers) > 0,
  nulls: (all & marks.nulls) > 0,
  unicodeEscapes: (all & marks.unicodeEscapes) > 0,
  proto: (all & marks.proto) > 0,
}));

const kinds = {
  containers: "objects and arrays",
  members: "members of objects",
  elements: "elements of arrays",
};

function refuse(kind: keyof JsonLimits, limits: JsonLimits): never {
  throw badRequest(`The JSON holds more than ${limits[kind]} ${kinds[kind]}`);
}

/** Skips a string whose content starts at `from`; returns the index of its closing quote. */
function inspectString(bytes: Uint8Array, from: number, found: Uint8Array): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x22) {
      if (i - from === 9 && bytes[from] === 0x5f && bytes[from + 1] === 0x5f) {
        found[i >> blockBits]! |= marks.proto;
      }
      return i;
    }
    if (byte === 0x5c) {
      i++;
      if (bytes[i] === 0x75) found[i >> blockBits]! |= marks.unicodeEscapes;
    }
  }
  return bytes.length;
}
