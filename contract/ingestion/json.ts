import { badRequest } from "#kit/errors.ts";
import { parseExactly } from "./integers.ts";
import { dropNulls, refuseProto, refuseUnstorable } from "./tree.ts";

/** Deepest nesting of arrays and objects that is taken. */
export const maxJsonDepth = 100;

/** Most digits that a number may have in a row. */
export const maxJsonDigits = 1_000;

/** What a JSON text may hold in all; each costs memory that its bytes do not tell of. */
export interface JsonLimits {
  /** Objects and arrays. */
  containers: number;
  /** Members of objects. */
  members: number;
  /** Elements of arrays, but for the first of each. */
  elements: number;
}

/** More than 20 MB of the smallest sound items hold. */
export const jsonLimits: JsonLimits = {
  containers: 1_000_000,
  members: 2_000_000,
  elements: 2_000_000,
};

/** What one pass over the bytes of a JSON text tells, so that costly steps run only when needed. */
export interface JsonTraits {
  /** A number with 16 or more digits in a row: may be an integer beyond 2^53. */
  longNumbers: boolean;
  /** A literal `null`. */
  nulls: boolean;
  /** An escape such as backslash, `u`: alone able to spell NUL or half a surrogate pair. */
  unicodeEscapes: boolean;
  /** The word `__proto__`. */
  proto: boolean;
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/**
 * Reads the traits of a JSON text. Refuses nesting deeper than `maxJsonDepth`, numbers longer than
 * `maxJsonDigits`, and more than `limits` of anything: a 400 `AppError` that names the bound. Does
 * not validate.
 */
export function inspectJson(bytes: Uint8Array, limits: JsonLimits = jsonLimits): JsonTraits {
  const traits = noTraits();
  const inArray = new Uint8Array(maxJsonDepth + 1);
  let [depth, digits, containers, members, elements] = [0, 0, 0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits >= 16) traits.longNumbers = true;
      if (digits > maxJsonDigits) {
        throw badRequest(`A number has more than ${maxJsonDigits} digits`);
      }
      continue;
    }
    digits = 0;
    if (byte === 0x22) i = inspectString(bytes, i + 1, traits);
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
    } else if (byte === 0x6e) traits.nulls = true;
  }
  return traits;
}

/** Whether a JSON text keeps within `limits`, and those of `inspectJson`. */
export function holdsAtMost(bytes: Uint8Array, limits: JsonLimits): boolean {
  try {
    inspectJson(bytes, limits);
    return true;
  } catch {
    return false;
  }
}

function noTraits(): JsonTraits {
  return { longNumbers: false, nulls: false, unicodeEscapes: false, proto: false };
}

const kinds = {
  containers: "objects and arrays",
  members: "members of objects",
  elements: "elements of arrays",
};

function refuse(kind: keyof JsonLimits, limits: JsonLimits): never {
  throw badRequest(`The JSON holds more than ${limits[kind]} ${kinds[kind]}`);
}

/** Skips a string whose content starts at `from`; returns the index of its closing quote. */
function inspectString(bytes: Uint8Array, from: number, traits: JsonTraits): number {
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x22) {
      if (i - from === 9 && bytes[from] === 0x5f && bytes[from + 1] === 0x5f) traits.proto = true;
      return i;
    }
    if (byte === 0x5c) {
      i++;
      if (bytes[i] === 0x75) traits.unicodeEscapes = true;
    }
  }
  return bytes.length;
}

/**
 * Parses JSON (UTF-8, a byte-order mark allowed) for the schemas of this folder: explicit nulls of
 * objects become `undefined`, integers beyond 2^53 become bigints with their exact digits. Keys
 * `__proto__` and text that PostgreSQL cannot store (NUL, half a surrogate pair) are refused with
 * their path, as is what `inspectJson` refuses. Nulls within free maps (`metadata`,
 * `attributes`) stay. Throws a 400 `AppError`;
 * `path` stands before the places that it names.
 */
export function parseJson(
  input: Uint8Array | string,
  { limits = jsonLimits, path = "" }: { limits?: JsonLimits; path?: string } = {},
): unknown {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  const { longNumbers, nulls, proto, unicodeEscapes } = inspectJson(bytes, limits);
  const text = decode(input);
  const tree = longNumbers ? parseExactly(text, parseText) : parseText(text);
  if (unicodeEscapes) refuseUnstorable(tree, path);
  if (proto || unicodeEscapes) refuseProto(tree, path);
  return nulls ? dropNulls(tree) : tree;
}

function decode(input: Uint8Array | string): string {
  if (typeof input === "string") {
    if (!input.isWellFormed()) throw badRequest("The text holds half a surrogate pair");
    return input.startsWith("\ufeff") ? input.slice(1) : input;
  }
  try {
    return decoder.decode(input);
  } catch {
    throw badRequest("The body is not valid UTF-8");
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** JSON text of a parsed value; bigints are written as the integers they are. */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return textWithBigints(value);
  }
}

/** Slower by far: every value passes through a function. */
function textWithBigints(value: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(value, (_key, v) => typeof v === "bigint" ? raw.rawJSON(String(v)) : v);
}
