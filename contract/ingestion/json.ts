import { badRequest } from "#kit/errors.ts";

/** Deepest nesting of arrays and objects that is taken. */
export const maxJsonDepth = 100;

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
 * Reads the traits of a JSON text and refuses nesting deeper than `maxJsonDepth`. Does not validate.
 */
export function inspectJson(bytes: Uint8Array): JsonTraits {
  const traits = { longNumbers: false, nulls: false, unicodeEscapes: false, proto: false };
  let depth = 0;
  let digits = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits >= 16) traits.longNumbers = true;
      continue;
    }
    digits = 0;
    if (byte === 0x22) i = inspectString(bytes, i + 1, traits);
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxJsonDepth) throw badRequest(`JSON is nested deeper than ${maxJsonDepth}`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x6e) traits.nulls = true;
  }
  return traits;
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
 * their path, as is nesting deeper than `maxJsonDepth`. Nulls within free maps (`metadata`,
 * `attributes`) stay. Throws a 400 `AppError`.
 */
export function parseJson(input: Uint8Array | string): unknown {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  const traits = inspectJson(bytes);
  const tree = parseText(decode(input), traits.longNumbers);
  const { nulls, proto, unicodeEscapes } = traits;
  if (unicodeEscapes) refuseUnstorable(tree, "");
  if (proto || unicodeEscapes) refuseProto(tree, "");
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

function parseText(text: string, exact: boolean): unknown {
  try {
    return exact ? JSON.parse(text, exactInteger as never) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** JSON text of a parsed value; bigints are written as the integers they are. */
export function exactJson(value: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(value, (_key, v) => typeof v === "bigint" ? raw.rawJSON(String(v)) : v);
}

const freeKeys = new Set(["attributes", "expectation"]);

function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(dropNulls);
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member === null) value[key] = undefined;
      else if (key === "expectation") dropOwnNulls(member);
      else if (!freeKeys.has(key) && !(key === "metadata" && isObject(member))) dropNulls(member);
    }
  }
  return value;
}

function dropOwnNulls(value: unknown): void {
  if (!isObject(value)) return;
  for (const key of Object.keys(value)) if (value[key] === null) value[key] = undefined;
}

function refuseProto(value: unknown, path: string): void {
  if (Array.isArray(value)) value.forEach((v, i) => refuseProto(v, `${path}[${i}]`));
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const field = path === "" ? key : `${path}.${key}`;
      if (key === "__proto__") {
        throw badRequest("The body is not valid", [{
          field,
          message: "is not a key that is taken",
        }]);
      }
      refuseProto(value[key], field);
    }
  }
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === "string") {
    const message = unstorable(value);
    if (message) throw badRequest("The body is not valid", [{ field: path, message }]);
  } else if (Array.isArray(value)) value.forEach((v, i) => refuseUnstorable(v, `${path}[${i}]`));
  else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const message = unstorable(key);
      if (message) {
        throw badRequest("The body is not valid", [{ field: path, message: `key ${message}` }]);
      }
      refuseUnstorable(value[key], path === "" ? key : `${path}.${key}`);
    }
  }
}

function unstorable(text: string): string | undefined {
  if (text.includes("\0")) return "must not hold the character NUL";
  return text.isWellFormed() ? undefined : "must not hold half a surrogate pair";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
