import { Buffer } from "node:buffer";
import { unstorable } from "#contract/text.ts";
import { maxCellDepth } from "./limits.ts";

/** Why PostgreSQL would not keep a text as JSON; undefined when it would. */
export function jsonFault(text: string): string | undefined {
  const { structure, strings } = splitStrings(text);
  if (depthOf(structure) > maxCellDepth) return `is nested deeper than ${maxCellDepth}`;
  if (/\d[eE][+-]?\d{4}/.test(structure)) return "has a number with a larger exponent than 999";
  try {
    JSON.parse(text);
    // Every string, also of members that a later one of the same name replaces.
    for (const string of strings) {
      const fault = unstorable(JSON.parse(string));
      if (fault) return fault;
    }
  } catch {
    return "is no JSON";
  }
}

/**
 * Most bytes in which PostgreSQL shows a text that it keeps as JSON: numbers without exponents, a blank after each
 * comma and colon.
 */
export function jsonBytes(text: string): number {
  const { structure } = splitStrings(text);
  const blanks = (structure.match(/[,:]/g) ?? []).length;
  const numbers = structure.split(/[\s,:[\]{}]/).filter((word) => /^[-\d].*[eE]/.test(word));
  return numbers.reduce(
    (bytes, number) => bytes + decimalBytes(number) - number.length,
    Buffer.byteLength(text) + blanks,
  );
}

/** Maximum number of bytes in which PostgreSQL shows a decimal number, which is without an exponent. */
export function decimalBytes(number: string): number {
  const exponent = /e([+-]?\d+)$/i.exec(number)?.[1] ?? "0";
  return number.length + 1 + Math.abs(Number(exponent));
}

/** The text without what stands in quotes, and what stands there. */
function splitStrings(text: string): { structure: string; strings: string[] } {
  let structure = "";
  const strings: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') {
      structure += text[at];
      continue;
    }
    const end = endOfString(text, at);
    strings.push(text.slice(at, end + 1));
    at = end;
  }
  return { structure, strings };
}

/** The place of the quote that ends the string which begins at `start`; that of the end when none does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function depthOf(structure: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of structure) {
    if (character === "[" || character === "{") deepest = Math.max(deepest, ++depth);
    else if (character === "]" || character === "}") depth--;
  }
  return deepest;
}
