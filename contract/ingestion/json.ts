import { unstorable } from "#contract/text.ts";
import { badRequest } from "#kit/errors.ts";
import { isObject } from "#kit/own.ts";
import { inspectJson, type JsonTraits, traitsOf } from "./inspect.ts";
import { fieldPath } from "./values.ts";
import { skipSpace, skipString } from "./bytes.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

/**
 * Parses JSON (UTF-8, byte-order mark allowed) for the schemas of this folder. Nulls in objects
 * become `undefined`, except within free maps (`metadata`, `attributes`); integers beyond 2^53
 * become exact bigints. Throws a 400 `AppError` with the path, after the prefix `path`, for a key
 * `__proto__` and for text that PostgreSQL cannot store (NUL, half a surrogate pair). Without
 * `traits` the text is inspected first, with the errors of `inspectJson`.
 */
export function parseJson(
  input: Uint8Array | string,
  { path = "", traits = inspectedTraits(input) }: { path?: string; traits?: JsonTraits } = {},
): unknown {
  const { longNumbers, nulls, proto, unicodeEscapes } = traits;
  const text = decode(input);
  const tree = longNumbers ? parseExactly(text, parseText) : parseText(text);
  if (unicodeEscapes) refuseUnstorable(tree, path);
  if (proto || unicodeEscapes) refuseProto(tree, path);
  return nulls ? dropNulls(tree) : tree;
}

function inspectedTraits(input: Uint8Array | string): JsonTraits {
  return traitsOf(inspectJson(typeof input === "string" ? encoder.encode(input) : input));
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

/** Much slower than `JSON.stringify` alone, since every value passes through a function. */
function textWithBigints(value: unknown): string {
  const raw = JSON as unknown as { rawJSON(text: string): unknown };
  return JSON.stringify(value, (_key, v) => typeof v === "bigint" ? raw.rawJSON(String(v)) : v);
}

const freeKeys = new Set(["attributes", "expectation"]);

/** Turns nulls of objects into `undefined`, in place; those within free maps stay. */
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

/** Throws a 400 `AppError` with the path when there is a key `__proto__`. */
function refuseProto(tree: unknown, before: string): void {
  visit(tree, [], (value, path) => {
    if (!isObject(value) || !Object.hasOwn(value, "__proto__")) return;
    refuse([...path, "__proto__"], before, "is not a key that is taken");
  });
}

/** Throws a 400 `AppError` with the path of a text that PostgreSQL cannot store. */
function refuseUnstorable(tree: unknown, before: string): void {
  visit(tree, [], (value, path) => {
    if (typeof value === "string") {
      const message = unstorable(value);
      if (message) refuse(path, before, message);
    } else if (isObject(value)) {
      for (const key in value) {
        const message = unstorable(key);
        if (message) refuse(path, before, `key ${message}`);
      }
    }
  });
}

type Path = (string | number)[];

/** Calls `show` with every value in `value` and its path, which is valid only during the call. */
function visit(value: unknown, path: Path, show: (value: unknown, path: Path) => void): void {
  show(value, path);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      path.push(i);
      visit(value[i], path, show);
      path.pop();
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      path.push(key);
      visit(value[key], path, show);
      path.pop();
    }
  }
}

function refuse(path: Path, before: string, message: string): never {
  throw badRequest("The body is not valid", [{ field: fieldPath(path, before), message }]);
}

const integerDecoder = new TextDecoder();

/**
 * Parses JSON; integers beyond 2^53 become bigints with their exact digits. They pass through
 * `parse` as marked strings, because a reviver is called for every value and costs fifty times as
 * much. Throws what `parse` throws.
 */
function parseExactly(text: string, parse: (text: string) => unknown): unknown {
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
      const number = integerDecoder.decode(bytes.subarray(i, end));
      // A number followed by a colon is an invalid key; as a string it would become a valid one.
      if (longInteger.test(number) && bytes[skipSpace(bytes, end)] !== 0x3a) {
        pieces.push(integerDecoder.decode(bytes.subarray(copied, i)), `"${mark}${number}"`);
        copied = end;
      }
    }
    i = Math.max(end, i + 1);
  }
  if (pieces.length === 0) return undefined;
  return pieces.join("") + integerDecoder.decode(bytes.subarray(copied));
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
