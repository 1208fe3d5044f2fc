import { badRequest } from "#kit/errors.ts";
import { inspectJson, type JsonTraits, traitsOf } from "./inspect.ts";
import { parseExactly } from "./integers.ts";
import { dropNulls, refuseProto, refuseUnstorable } from "./tree.ts";

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
