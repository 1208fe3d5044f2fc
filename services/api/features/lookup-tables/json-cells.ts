import { unstorable } from "#contract/text.ts";
import { maxCellDepth } from "./limits.ts";

/** Why PostgreSQL would not keep a text as JSON; undefined when it would. */
export function jsonFault(text: string): string | undefined {
  const structure = structureOf(text);
  if (depthOf(structure) > maxCellDepth) return `is nested deeper than ${maxCellDepth}`;
  if (/\d[eE][+-]?\d{4}/.test(structure)) return "has a number with a larger exponent than 999";
  let fault: string | undefined;
  try {
    JSON.parse(text, (key, value) => {
      fault ??= unstorable(key) ?? (typeof value === "string" ? unstorable(value) : undefined);
      return value;
    });
  } catch {
    return "is no JSON";
  }
  return fault;
}

/** The text without what stands in quotes. */
function structureOf(text: string): string {
  let structure = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '"') structure += text[at];
    else at = endOfString(text, at);
  }
  return structure;
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
